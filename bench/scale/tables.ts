import type { Summary } from './latencies.ts';
import type { LoadOptions } from './load.ts';

/** The objectives of the community for requests: lists of a cluster, lists of a namespace, and single objects. */
const objectiveMs = (request: string): number =>
  request.includes('(cluster)') ? 30_000 : request.includes('(namespace)') ? 5_000 : 1_000;

/** Latencies beside the objective of each request. */
export const latencyTable = (summaries: readonly Summary[]): readonly string[] => [
  '| request | count | failed | p50 ms | p99 ms | objective ms | met |',
  '| --- | --: | --: | --: | --: | --: | --- |',
  ...summaries.map(({ request, count, failures, p50Ms, p99Ms }) => {
    const objective = objectiveMs(request);
    const isMet = p99Ms <= objective && failures === 0 ? 'yes' : 'no';
    return `| ${request} | ${count} | ${failures} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${objective} | ${isMet} |`;
  }),
];

interface ProgramUsage {
  readonly name: string;
  /** Seconds of CPU in a second. */
  readonly cores: number;
  readonly bytes: number;
}

/** CPU and memory of each program. */
export const programTable = (
  rows: readonly ProgramUsage[],
  { nodes, podsPerSecond }: LoadOptions,
): readonly string[] => [
  '| program | cores | ms of CPU per node and second | ms of CPU per pod that comes and goes | MB |',
  '| --- | --: | --: | --: | --: |',
  ...rows.map(({ name, cores, bytes }) => {
    const perNode = ((cores * 1000) / nodes).toFixed(2);
    const perPod = podsPerSecond === 0 ? '-' : ((cores * 1000) / podsPerSecond).toFixed(1);
    return `| ${name} | ${cores.toFixed(3)} | ${perNode} | ${perPod} | ${(bytes / 1_000_000).toFixed(0)} |`;
  }),
];

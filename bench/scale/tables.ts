import { round } from '../lib/round.ts';
import type { Summary } from './latencies.ts';
import type { ScaleRun, Sizes } from './results.ts';

/** The objectives of the community for requests: lists of a cluster, lists of a namespace, and single objects. */
export const objectiveMs = (request: string): number =>
  request.includes('(cluster)') ? 30_000 : request.includes('(namespace)') ? 5_000 : 1_000;

const count = (value: number, noun: string): string =>
  `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`;

/** A size in words. */
function sizeLine({ load, replicas, threads, overrides }: Sizes): string {
  const { nodes, podsPerNode, podsPerSecond } = load;
  const servers = `${count(replicas, 'replica')} with ${count(threads, 'thread')}${replicas > 1 ? ' each' : ''}`;
  const stores = overrides ? ', two etcds' : '';
  return `${count(nodes, 'node')}, ${count(nodes * podsPerNode, 'pod')}, ${count(podsPerSecond, 'pod')} per second, ${servers}${stores}`;
}

type Runs = readonly ScaleRun[];

const letterOf = (i: number): string => String.fromCodePoint(65 + i);

/** A table with a column for each run, which a letter names. */
const tableOf = (title: string, runs: Runs, rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${[title, ...runs.map((_, i) => letterOf(i))].join(' | ')} |`,
  `| --- |${' --: |'.repeat(runs.length)}`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  '',
];

const namesOf = <T>(runs: Runs, of: (run: ScaleRun) => readonly T[], name: (one: T) => string) => [
  ...new Set(runs.flatMap((run) => of(run).map(name))),
];

function latencyCell(request: string, summary: Summary | undefined): string {
  if (summary === undefined) return '–';
  const { p50Ms, p99Ms, failures } = summary;
  const text = `${round(p50Ms)}, ${round(p99Ms)}${failures > 0 ? `, ${failures} failed` : ''}`;
  return failures === 0 && p99Ms <= objectiveMs(request) ? text : `**${text}**`;
}

/** The tables of all runs: latencies, CPU and memory of each program, and rates. */
export function runLines(runs: Runs): readonly string[] {
  const requests = namesOf(
    runs,
    ({ latencies }) => latencies,
    ({ request }) => request,
  ).sort();
  const programs = namesOf(
    runs,
    (run) => run.programs,
    ({ name }) => name,
  );
  const measures: readonly (readonly [string, (run: ScaleRun) => number])[] = [
    ['seconds until the first replica is ready', ({ startMs }) => startMs / 1000],
    ['changes in etcd per second', ({ rates }) => rates.writes],
    ['MB per second between servers and etcd', ({ rates }) => rates.etcdBytes / 1e6],
    ['MB per second between servers and clients', ({ rates }) => rates.networkBytes / 1e6],
  ];
  return [
    ...runs.map(({ sizes, seconds }, i) => `- ${letterOf(i)}: ${sizeLine(sizes)}; ${seconds} s`),
    '',
    'Median and 99th percentile in ms, in bold where the objective was missed:',
    '',
    ...tableOf(
      'request',
      runs,
      requests.map((name) => [
        name,
        ...runs.map((run) =>
          latencyCell(
            name,
            run.latencies.find(({ request }) => request === name),
          ),
        ),
      ]),
    ),
    'CPU in cores, and resident memory at the end in MB:',
    '',
    ...tableOf(
      'program',
      runs,
      programs.map((name) => [
        name,
        ...runs.map((run) => {
          const found = run.programs.find((program) => program.name === name);
          return found === undefined ? '–' : `${found.cores.toFixed(3)}, ${(found.bytes / 1e6).toFixed(0)}`;
        }),
      ]),
    ),
    ...tableOf(
      'measure',
      runs,
      measures.map(([name, of]) => [name, ...runs.map((run) => round(of(run)))]),
    ),
  ];
}

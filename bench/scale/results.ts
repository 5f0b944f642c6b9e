import type { Summary } from './latencies.ts';
import type { LoadOptions } from './load.ts';
import type { ProgramUsage, Rates } from './usage.ts';

/** The size of a cluster, and of the control plane under it. */
export interface Sizes {
  readonly load: LoadOptions;
  readonly replicas: number;
  /** Serving threads of each replica. */
  readonly threads: number;
  /** Whether Leases and events have a separate etcd. */
  readonly overrides: boolean;
}

/** What was measured at one size. */
export interface ScaleRun {
  readonly sizes: Sizes;
  readonly seconds: number;
  /** From the start of the first replica, over the filled store, until it is ready. */
  readonly startMs: number;
  readonly latencies: readonly Summary[];
  readonly programs: readonly ProgramUsage[];
  readonly rates: Rates;
}

/** The content of `bench/results/scale.json`. */
export interface ScaleResults {
  readonly hardware: string;
  /** What a reader needs to know of the machine: whether it was idle. */
  readonly note: string;
  readonly runs: readonly ScaleRun[];
}

const keyOf = ({ sizes }: ScaleRun): string => JSON.stringify(sizes);

/** The results with further runs, which replace those of the same size. */
export function withRuns(results: ScaleResults, runs: readonly ScaleRun[]): ScaleResults {
  const keys = new Set(runs.map(keyOf));
  const all = [...results.runs.filter((run) => !keys.has(keyOf(run))), ...runs];
  const size = ({ sizes: { load } }: ScaleRun): number => load.nodes * 1000 + load.podsPerSecond;
  return { ...results, runs: all.sort((a, b) => size(a) - size(b)) };
}

/** The sizes of a whole page up to the largest one: a tenth, a third, two thirds and all of it, at its rate and at a quarter of it. */
export function seriesOf(largest: Sizes): readonly Sizes[] {
  const part = (share: number, rateShare: number, replicas: number): Sizes => ({
    ...largest,
    replicas: Math.min(replicas, largest.replicas),
    load: {
      ...largest.load,
      nodes: Math.round(largest.load.nodes * share),
      podsPerSecond: largest.load.podsPerSecond * rateShare,
    },
  });
  const all = largest.replicas;
  return [
    part(0.1, 0.25, 1),
    part(1 / 3, 0.25, 1),
    part(1 / 3, 1, all),
    part(2 / 3, 1, all),
    part(1, 0.25, all),
    largest,
  ];
}

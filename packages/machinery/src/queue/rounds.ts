import { KeyLoop, type KeyLoopOptions } from './key-loop.ts';

export interface RoundsOptions
  extends Pick<KeyLoopOptions<string>, 'env' | 'name' | 'failed' | 'deadlineMs'> {
  /** Time between the end of a round and the next one, also after a failure. */
  readonly intervalMs: number;
  /** Time before the first round; none when absent. */
  readonly firstAfterMs?: number;
  readonly round: (signal: AbortSignal) => Promise<void>;
}

/** Runs a task at intervals until the signal aborts: a loop over one key, with the name of its queue. */
export async function runRounds(options: RoundsOptions, signal: AbortSignal): Promise<void> {
  const { intervalMs, firstAfterMs = 0, round, ...loopOptions } = options;
  const loop = new KeyLoop({
    ...loopOptions,
    workers: 1,
    retry: { firstMs: intervalMs, maxMs: intervalMs },
    reconcile: async (_, until) => {
      await round(until);
      return intervalMs;
    },
  });
  loop.addAfter(options.name, firstAfterMs);
  await loop.run(signal);
}

import { SharedProgress } from '@orch/cache';
import type { Env } from '@orch/machinery';
import type { Threads } from '@orch/registry';
import type { ThreadMemory } from './messages.ts';

/** Maximum time for which the answer to the write of a rule waits for a thread that is busy or behind. */
const LIMIT_MS = 1000;

export interface ProgressPlace {
  readonly memory: Pick<ThreadMemory, 'progress'>;
  /** Number of this thread; the first one is 1. */
  readonly number: number;
}

/** The progress of the caches of all threads, and the wait for it. */
export interface ProgressOfThreads {
  /** Of the cache of each store. */
  readonly progress: readonly SharedProgress[];
  readonly threads: Threads;
}

/** The progress of all threads, for one of them; `storeOf` returns the number of the store of a key. */
export function progressOfThreads(
  { memory, number: thread }: ProgressPlace,
  { clock, metrics }: Pick<Env, 'clock' | 'metrics'>,
  storeOf: (key: string) => number,
): ProgressOfThreads {
  const progress = memory.progress.map((of) => new SharedProgress({ memory: of, thread, clock }));
  const late = metrics
    .counter({
      name: 'apiserver_thread_rule_timeouts_total',
      help: 'Number of writes of rules whose answer did not wait longer for threads that did not have them yet.',
      stability: 'ALPHA',
    })
    .series();
  return {
    progress,
    threads: {
      async reach(key, rev, signal) {
        const isReached = await progress[storeOf(key)]?.whenReached(rev, LIMIT_MS, signal);
        if (isReached === false && !signal.aborted) late.inc();
      },
    },
  };
}

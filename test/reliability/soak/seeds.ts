import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Outcome, Request } from '../simulation/seeds-worker.ts';

const SEEDS_AT_ONCE = 20;
const STEPS = 5;

/** Runs simulations from a seed on, until the signal aborts. Calls back after some seeds, with the failure of one. */
export async function simulateFrom(
  first: number,
  done: (seeds: number, failure: string | undefined) => void,
  signal: AbortSignal,
): Promise<void> {
  const worker = new Worker(new URL('../simulation/seeds-worker.ts', import.meta.url));
  try {
    for (let seed = first; !signal.aborted; seed += SEEDS_AT_ONCE) {
      const seeds = { first: seed, last: seed + SEEDS_AT_ONCE - 1 };
      const answered = once(worker, 'message', { signal });
      worker.postMessage({ seeds, steps: STEPS, twiceEvery: SEEDS_AT_ONCE } satisfies Request);
      const [{ failure }] = (await answered) as [Outcome];
      done(SEEDS_AT_ONCE, failure && `the simulation of seed ${failure.seed} fails: ${failure.message}`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await worker.terminate();
  }
}

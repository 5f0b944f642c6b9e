/**
 * Runs simulations in a thread: `node:test` observes each promise of the thread that it runs in, which would take more time
 * than the simulations. A request is a range of seeds, its answer an `Outcome`.
 */
import { parentPort } from 'node:worker_threads';
import { simulate } from './scenario.ts';

export interface Range {
  readonly first: number;
  readonly last: number;
  readonly steps: number;
}

/** Without a failure, all seeds of the range passed. */
export interface Outcome {
  readonly failure?: { readonly seed: number; readonly cause: unknown };
}

async function outcomeOf({ first, last, steps }: Range): Promise<Outcome> {
  for (let seed = first; seed <= last; seed++) {
    try {
      await simulate(seed, steps);
    } catch (cause) {
      return { failure: { seed, cause } };
    }
  }
  return {};
}

parentPort?.on('message', async (range: Range) => {
  parentPort?.postMessage(await outcomeOf(range));
});

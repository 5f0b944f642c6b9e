import type { Env } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { isConflict } from '../errors/guards.ts';

const TRIES = 5;
const FIRST_WAIT_MS = 10;

/**
 * Runs work that reads and writes an object, again after a conflict: up to five times, with backoff. In a reconciliation
 * it is better to throw: the controller retries with the current state.
 */
export async function retryOnConflict<R>(
  env: Pick<Env, 'clock' | 'random'>,
  write: (signal: AbortSignal) => Promise<R>,
  signal: AbortSignal,
): Promise<R> {
  for (let tried = 1; ; tried++) {
    try {
      return await write(signal);
    } catch (error) {
      if (!isConflict(error) || tried === TRIES) throw error;
    }
    const waitMs = FIRST_WAIT_MS * 5 ** (tried - 1);
    await sleep(env.clock, waitMs / 2 + env.random.int(waitMs), signal);
  }
}

import { ApiError, type Env, sleep } from '@orch/machinery';

/** Somebody else wrote in between. A name that is taken is no conflict: reading again does not help. */
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.status.code === 409 && error.status.reason !== 'AlreadyExists';

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status.code === 404;

export const isAlreadyExists = (error: unknown): boolean =>
  error instanceof ApiError && error.status.reason === 'AlreadyExists';

const TRIES = 5;
const FIRST_WAIT_MS = 10;

/**
 * Does something that reads an object and writes it, again when it met a conflict: five times in all, with waits that
 * grow. Inside of a reconcile it is better to throw: the controller tries again with what is there then.
 */
export async function retryOnConflict<R>(
  env: Pick<Env, 'clock' | 'random'>,
  signal: AbortSignal,
  write: (signal: AbortSignal) => Promise<R>,
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

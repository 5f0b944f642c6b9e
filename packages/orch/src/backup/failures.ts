import { BackupError } from '@orch/backup';
import { ConfigError, TransportError } from '@orch/client';
import { ApiError, messageOf } from '@orch/machinery';
import { StartError } from '@orch/program';
import { StoreError } from '@orch/storage';

/**
 * Runs a backup command: expected failures become one line for the operator, and an interruption is a failure, so that
 * scripts notice it. `again` tells how to continue.
 */
export async function reported<T>(
  doing: string,
  { signal, again }: { readonly signal: AbortSignal; readonly again: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw new StartError(`${doing} was interrupted; ${again}`);
    if (error instanceof BackupError) throw new StartError(`${doing}: ${error.message}`);
    if (isExpected(error)) throw new StartError(`${doing} failed: ${messageOf(error)}; ${again}`);
    throw error;
  }
}

const isExpected = (error: unknown): boolean =>
  error instanceof StoreError ||
  error instanceof TransportError ||
  error instanceof ApiError ||
  error instanceof ConfigError ||
  (error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^E[A-Z]+$/.test(error.code));

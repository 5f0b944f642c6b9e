import type { SharedTokens, UserOfFile } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { CommandError } from '../command-error.ts';
import type { Io } from '../io.ts';

/** A refresh ends within 30 seconds, and a change of the file within 5. */
const LOCK_WAIT_MS = 45_000;
const STALE_MS = 60_000;

/**
 * The tokens of a user in the client configuration file. Refreshes of several processes take turns with a lock file
 * beside it, because providers accept a refresh token only once. In a folder that cannot be written, tokens are
 * refreshed for this command only, with a warning.
 */
export const tokensInFile = ({ name, file }: UserOfFile, io: Io): SharedTokens => ({
  async update(renew) {
    // Most commands refresh no token, so the code for it is loaded on use.
    const { readTokens, storeTokens } = await import('./user-tokens.ts');
    const refresh = async (): Promise<void> => {
      const tokens = await renew(await readTokens({ name, file }, io));
      if (tokens !== undefined) await storing(() => storeTokens({ name, file }, tokens, io), io);
    };
    try {
      await withTokenLock(file, io, refresh);
    } catch (error) {
      if (!isReadOnly(error)) throw error;
      await refresh();
    }
  },
});

/** Runs `work` while no other process refreshes or removes tokens of a file. */
export async function withTokenLock<T>(file: string, { env }: Io, work: () => Promise<T>): Promise<T> {
  const { withFileLock } = await import('../files/file-lock.ts');
  return withFileLock(`${file}.tokens.lock`, { env, waitMs: LOCK_WAIT_MS, staleMs: STALE_MS }, work);
}

/** The refreshed token is valid even when it cannot be stored. */
async function storing(store: () => Promise<void>, io: Io): Promise<void> {
  try {
    await store();
  } catch (error) {
    if (!(error instanceof CommandError) && !isReadOnly(error)) throw error;
    io.err.write(
      `Warning: the refreshed tokens cannot be stored: ${messageOf(error)}; run "orchctl login" if they are refused later\n`,
    );
  }
}

const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS'].includes(String(error.code));

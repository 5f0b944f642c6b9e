import { compressionProblem, contentOfStores, encodeBackup, type PartialStore } from '@orch/backup';
import { type Env, errors } from '@orch/machinery';
import type { Route } from '@orch/request';

export interface BackupRouteOptions {
  /** With values as they are stored: those that are encrypted at rest remain so. */
  readonly stores: readonly PartialStore[];
  readonly prefix: string;
  readonly env: Pick<Env, 'clock' | 'random'>;
  /** Four bytes with the number of backups that all threads of the process make. */
  readonly memory: SharedArrayBuffer;
}

/** The path of backups of the store. Only a rule for non-resource URLs grants access. */
export const BACKUP_PATH = '/storage/backup';

/** Backups at the same time: each reads everything, and is compressed by this process. */
const MAX_BACKUPS = 2;
const RETRY_AFTER_SECONDS = 30;

/** Returns a backup of all stores, read while it is sent. It contains every secret, and is not encrypted itself. */
export function backupRoute({ stores, prefix, env, memory }: BackupRouteOptions): Route {
  const current = new Int32Array(memory);
  const end = (): void => void Atomics.sub(current, 0, 1);
  return {
    path: BACKUP_PATH,
    async handle({ request }) {
      const problem = compressionProblem();
      if (problem !== undefined) throw errors.badRequest(problem);
      if (Atomics.add(current, 0, 1) >= MAX_BACKUPS) {
        end();
        throw errors.tooManyRequests(
          `${MAX_BACKUPS} backups are being made: wait until one has ended`,
          RETRY_AFTER_SECONDS,
        );
      }
      try {
        const { origin, entries } = await contentOfStores(stores, { prefix, env }, request.signal);
        return {
          kind: 'chunks',
          status: 200,
          headers: { 'Content-Type': 'application/octet-stream' },
          chunks: encodeBackup(entries, { origin, key: undefined }),
          onSent: end,
        };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

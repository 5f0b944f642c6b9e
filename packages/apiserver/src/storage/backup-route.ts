import { encodeBackup, storeContent } from '@orch/backup';
import { type Env, errors } from '@orch/machinery';
import type { Route } from '@orch/request';
import type { Store } from '@orch/storage';

export interface BackupRouteOptions {
  /** With values as they are stored: those that are encrypted at rest remain so. */
  readonly store: Pick<Store, 'scan' | 'list'>;
  readonly prefix: string;
  readonly encryptionMarker: string;
  readonly env: Pick<Env, 'clock' | 'random'>;
}

/** The path of backups of the store. Only a rule for non-resource URLs grants access. */
export const BACKUP_PATH = '/storage/backup';

/** Backups at the same time: each reads everything, and is compressed by this process. */
const MAX_BACKUPS = 2;
const RETRY_AFTER_SECONDS = 30;

/** Returns a backup of the whole store, read while it is sent. It contains every secret, and is not encrypted itself. */
export function backupRoute({ store, prefix, encryptionMarker, env }: BackupRouteOptions): Route {
  let current = 0;
  return {
    path: BACKUP_PATH,
    async handle({ request }) {
      if (current >= MAX_BACKUPS)
        throw errors.tooManyRequests(
          `${MAX_BACKUPS} backups are being made: wait until one has ended`,
          RETRY_AFTER_SECONDS,
        );
      current++;
      try {
        const { origin, entries } = await storeContent(store, { prefix, env }, request.signal);
        return {
          kind: 'chunks',
          status: 200,
          headers: { 'Content-Type': 'application/octet-stream' },
          chunks: encodeBackup(entries, { origin, key: undefined, encryptionMarker }),
          onSent: () => void current--,
        };
      } catch (error) {
        current--;
        throw error;
      }
    },
  };
}

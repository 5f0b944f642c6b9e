import type { Env } from '@orch/machinery';
import type { Store } from '../store.ts';
import type { ThreadStore } from '../thread-store.ts';
import { Reader } from './database/reader.ts';
import { openReadConnection, storeErrorOf } from './database/sqlite.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { storeFiles } from './files/store-files.ts';
import { READER_CACHE_BYTES, type UseLimits, useLimits } from './open-embedded-store.ts';
import { SharedRevisions } from './shared-revisions.ts';
import { ThreadLink } from './writer/thread-link.ts';

export interface ThreadStoreOptions extends ThreadStore, UseLimits {
  readonly env: Pick<Env, 'clock' | 'log'>;
}

/**
 * Opens a store that another thread of the process has open (`EmbeddedStoreOptions.onWriter`), which must close it last. This one
 * reads the files itself, and sends its commits to the writer thread. Throws a `StoreError`.
 */
export function openThreadStore({ location, ports, env, ...limits }: ThreadStoreOptions): Store {
  const { clock, log } = env;
  const files = storeFiles(location.dir);
  try {
    const db = openReadConnection(files.database, READER_CACHE_BYTES);
    db.exec('PRAGMA query_only = ON');
    return new EmbeddedStore({
      clock,
      log,
      files,
      reader: new Reader(db),
      revisions: new SharedRevisions(location.memory),
      writer: (events) => new ThreadLink(ports, clock, events),
      ...useLimits(limits),
      release: undefined,
    });
  } catch (error) {
    throw storeErrorOf(error, `opening ${files.database}`);
  }
}

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Env } from '@orch/machinery';
import { type Store, StoreError } from '../store.ts';
import { lockDirectory } from './directory-lock.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { createPrivate } from './private-file.ts';
import { Reader } from './reader.ts';
import { DATABASE_FILE, prepareSchema } from './schema.ts';
import { openConnection, storeErrorOf } from './sqlite.ts';

export interface EmbeddedStoreOptions {
  /** Directory of the store's files; created when absent. One process at a time may have it. */
  readonly dir: string;
  readonly env: Pick<Env, 'clock' | 'log'>;
  /** Entry of the writer thread. The default serves when running from source; a bundle passes its own file. */
  readonly workerUrl?: URL;
  /** Larger values are refused with `tooLarge`. Default 4 MiB. */
  readonly maxValueBytes?: number;
  /** Commits are refused with `unavailable` while more bytes than this wait to be written. Default 64 MiB. */
  readonly maxQueuedBytes?: number;
  /** Size the database may grow to; 0, the default, leaves it to the disk. */
  readonly maxBytes?: number;
  /** Written bytes after which the write-ahead log is copied into the database. Default 16 MiB. */
  readonly checkpointBytes?: number;
}

const MEBIBYTE = 1024 * 1024;
const READER_CACHE_BYTES = 4 * MEBIBYTE;

/**
 * Opens the store in `dir`, creating it when there is none. Rejects with a `StoreError`: `unavailable` when another
 * process has the directory or it cannot be used, `corrupt` when its file is damaged or not ours.
 *
 * A commit is acknowledged once SQLite has synced it to disk (write-ahead log, `synchronous=FULL`). Expiry counts in
 * wall time, over restarts too.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<Store> {
  const workerUrl = options.workerUrl ?? new URL('./writer-thread.ts', import.meta.url);
  if (!existsSync(workerUrl)) {
    throw new StoreError(
      'unavailable',
      `the writer thread's program ${fileURLToPath(workerUrl)} does not exist`,
    );
  }
  const dir = resolve(options.dir);
  const path = join(dir, DATABASE_FILE);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const { release } = lockDirectory(dir);
    try {
      const reader = openReader(path);
      return new EmbeddedStore({
        ...options.env,
        reader,
        release,
        writerUrl: workerUrl,
        settings: {
          path,
          maxBytes: options.maxBytes ?? 0,
          checkpointBytes: options.checkpointBytes ?? 16 * MEBIBYTE,
        },
        maxValueBytes: options.maxValueBytes ?? 4 * MEBIBYTE,
        maxQueuedBytes: options.maxQueuedBytes ?? 64 * MEBIBYTE,
      });
    } catch (error) {
      release();
      throw error;
    }
  } catch (error) {
    throw openError(error, path);
  }
}

function openReader(path: string): Reader {
  createPrivate(path);
  const isNew = statSync(path).size === 0;
  const db = openConnection(path, READER_CACHE_BYTES);
  try {
    prepareSchema(db, path);
    // A synced file can still be lost with its name.
    if (isNew) for (const dir of [dirname(path), dirname(dirname(path))]) syncDirectory(dir);
    db.exec('PRAGMA query_only = ON');
    return new Reader(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function syncDirectory(dir: string): void {
  const descriptor = openSync(dir, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function openError(error: unknown, path: string): unknown {
  const failure = storeErrorOf(error, `opening ${path}`);
  if (failure instanceof StoreError) return failure;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !code.startsWith('E')) return failure;
  const message = error instanceof Error ? error.message : String(error);
  return new StoreError('unavailable', `the embedded store ${path} cannot be opened: ${message}`, {
    cause: error,
  });
}

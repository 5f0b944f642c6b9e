import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { type Env, messageOf, type Random } from '@orch/machinery';
import { createFolder } from '@orch/machinery/create-folder';
import { type Store, StoreError } from '../store.ts';
import type { StartedWriter } from '../thread-store.ts';
import { lockDirectory } from './database/directory-lock.ts';
import { Reader } from './database/reader.ts';
import { databaseKind } from './database/schema.ts';
import { openReadConnection, storeErrorOf } from './database/sqlite.ts';
import { EmbeddedStore } from './embedded-store.ts';
import { syncDirectory } from './files/file-io.ts';
import { removeLog, type StoreFiles, storeFiles } from './files/store-files.ts';
import { adoptStore, newIdentity } from './integrity/adopt-store.ts';
import { checkContents } from './integrity/check-directory.ts';
import { checkFiles, damageMessage, type Finding } from './integrity/check-files.ts';
import { SharedRevisions } from './shared-revisions.ts';
import type { WriterSettings } from './writer/protocol.ts';
import type { SharedWriterThread } from './writer/shared-writer-thread.ts';
import { type StartedThread, startOwnThread } from './writer/started-thread.ts';
import { WriterSupervisor } from './writer/writer-client.ts';
import { writerProgram } from './writer/writer-program.ts';

/** Limits of the use of a store by one thread. */
export interface UseLimits {
  /** Larger values are refused with `tooLarge`. Default 4 MiB. */
  readonly maxValueBytes?: number;
  /** Commits are refused with `unavailable` while more bytes than this wait to be written. Default 64 MiB. */
  readonly maxQueuedBytes?: number;
}

export interface EmbeddedStoreOptions extends UseLimits {
  /** Directory of the store's files; created when absent. One process at a time may have it. */
  readonly dir: string;
  readonly env: Pick<Env, 'clock' | 'log' | 'random'>;
  /** Entry of the writer thread. The default is for running from source; a bundle passes its own file. */
  readonly workerUrl?: URL;
  /** The thread that writes this store and others; a thread for this store alone when absent. */
  readonly sharedWriter?: SharedWriterThread;
  /** Called for each writer thread that is started, so that other threads of the process can use the store. */
  readonly onWriter?: (writer: StartedWriter) => void;
  /** Maximum size of the database; 0, the default, means that only the disk limits it. */
  readonly maxBytes?: number;
  /** Disk space reserved for deletions on a full disk; less on a small disk. Default 16 MiB. */
  readonly reserveBytes?: number;
  /** Size of the write-ahead log from which on it is checkpointed into the database. Default 32 MiB. */
  readonly checkpointBytes?: number;
}

const MEBIBYTE = 1024 * 1024;
export const READER_CACHE_BYTES = 4 * MEBIBYTE;

export const useLimits = ({ maxValueBytes, maxQueuedBytes }: UseLimits): Required<UseLimits> => ({
  maxValueBytes: maxValueBytes ?? 4 * MEBIBYTE,
  maxQueuedBytes: maxQueuedBytes ?? 64 * MEBIBYTE,
});

/**
 * Opens the store in `dir`, creating it when there is none. Rejects with a `StoreError`: `unavailable` when another
 * process has the directory or it cannot be used; `corrupt` when its files are damaged, do not belong together or
 * belong to another program; they are left unchanged.
 *
 * A commit is acknowledged once SQLite has synced it to disk (write-ahead log, `synchronous=FULL`). Expiry counts in
 * wall time, also across restarts.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<Store> {
  const workerUrl = options.workerUrl ?? writerProgram;
  if (!existsSync(workerUrl)) {
    throw new StoreError(
      'unavailable',
      `the writer thread's program ${fileURLToPath(workerUrl)} does not exist`,
    );
  }
  const files = storeFiles(resolve(options.dir));
  try {
    createFolder(files.dir);
    const { release } = lockDirectory(files.dir);
    try {
      return storeOf(options, { files, url: workerUrl, release });
    } catch (error) {
      release();
      throw error;
    }
  } catch (error) {
    throw openError(error, files.database);
  }
}

interface StoreParts {
  readonly files: StoreFiles;
  readonly url: URL;
  readonly release: () => void;
}

function storeOf(options: EmbeddedStoreOptions, { files, url, release }: StoreParts): Store {
  const { clock, log, random } = options.env;
  const revisions = new SharedRevisions();
  const settings: WriterSettings = {
    path: files.database,
    maxBytes: options.maxBytes ?? 0,
    reserveBytes: options.reserveBytes ?? 16 * MEBIBYTE,
    checkpointBytes: options.checkpointBytes ?? 32 * MEBIBYTE,
  };
  const { dir } = files;
  const startThread = (): StartedThread =>
    options.sharedWriter?.start(settings) ?? startOwnThread(url, settings);
  const started = (connect: () => MessagePort): void =>
    options.onWriter?.({ dir, memory: revisions.memory, connect });
  return new EmbeddedStore({
    clock,
    log,
    files,
    reader: openReader(files, random),
    revisions,
    writer: (events) => new WriterSupervisor({ clock, log, startThread, events, started }),
    ...useLimits(options),
    release,
  });
}

function openReader(files: StoreFiles, random: Random): Reader {
  let found = checkFiles(files);
  refuseDamage(files, found.findings);
  if (found.kind !== 'checked') {
    adoptStore(files, found.id ?? newIdentity(random));
    syncDirectory(dirname(files.dir));
    found = checkFiles(files);
    refuseDamage(files, found.findings);
  }
  if (found.clean) removeLog(files);
  const db = openReadConnection(files.database, READER_CACHE_BYTES);
  try {
    databaseKind(db, files.database);
    const reader = new Reader(db);
    refuseDamage(files, checkContents(files, reader, found.mark));
    db.exec('PRAGMA query_only = ON');
    return reader;
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseDamage(files: StoreFiles, findings: readonly Finding[]): void {
  if (findings.length > 0) throw new StoreError('corrupt', damageMessage(files, findings));
}

function openError(error: unknown, path: string): unknown {
  const failure = storeErrorOf(error, `opening ${path}`);
  if (failure instanceof StoreError) return failure;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !code.startsWith('E')) return failure;
  const message = messageOf(error);
  return new StoreError('unavailable', `the embedded store ${path} cannot be opened: ${message}`, {
    cause: error,
  });
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Env, type Metrics, messageOf, type Naming } from '@orch/machinery';
import { isGiven, StartError, writeProblem } from '@orch/program';
import {
  type Backend,
  currentStore,
  ForwardingStore,
  type Migration,
  MovableStore,
  type StartedWriter,
  type Store,
  StoreError,
  type ThreadStore,
} from '@orch/storage';
import type { SharedWriterThread } from '@orch/storage/embedded';
import type { TlsOptions } from '@orch/storage/etcd';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { keyPairProblem } from '../reload/key-pair-problem.ts';
import { fileMetrics } from '../reload/reload-metrics.ts';
import { type FileFlag, ReloadedFiles, textsOf } from '../reload/reloaded-files.ts';
import type { Reloads } from '../reload/reloads.ts';
import type { StoreSettings } from '../settings/store-settings.ts';
import { claimNaming, namingOfData } from './data-naming.ts';
import { etcdConnectionProblem, explainedLog } from './etcd-connection-problem.ts';

export interface OpenStoreContext {
  readonly env: Pick<Env, 'clock' | 'log' | 'random'>;
  /** The embedded store's worker, where the program is bundled. */
  readonly workerUrl: URL | undefined;
  /** The thread that writes the embedded stores of this process; each has a thread without it. */
  readonly sharedWriter?: SharedWriterThread | undefined;
  readonly signal: AbortSignal;
  readonly reloading?: Reloading;
  /** Called for each writer of an embedded store that is started. */
  readonly onWriter?: (writer: StartedWriter) => void;
}

/** Collects the files that are reloaded while the store is open; absent in programs that end after one task. */
export interface Reloading {
  readonly reloads: Reloads;
  readonly metrics: Metrics;
}

/**
 * Opens the store that the settings name, with the revisions that clients see; only that backend's code is loaded. Throws a
 * `StartError` with the reason, also for a store whose restore has not ended.
 */
export const openStore = (settings: StoreSettings, context: OpenStoreContext): Promise<Store> =>
  withReason(settings, async () => {
    const store = await openBackend(settings, context);
    try {
      return await currentStore(store, settings.storePrefix, context.signal);
    } catch (error) {
      await store.close();
      throw error;
    }
  });

export interface ServerStoreContext extends OpenStoreContext {
  /** The store to which a migration may have moved the content; undefined when the operator has named none. */
  readonly target: () => StoreSettings | undefined;
  /** The naming of the server, which is that of the objects in its store. */
  readonly naming: Naming;
  /** In a further thread, the embedded store that the first one has opened. */
  readonly thread?: ThreadStore | undefined;
  /** Opens the store in place of the one that the settings name. */
  readonly openStore?: () => Promise<Store>;
}

/**
 * Opens the store that a server uses: the one that the settings name, or the one to which its content was moved. Throws a
 * `StartError` with the reason, also when the server cannot open that one, or when its objects have another naming.
 */
export const openServerStore = (
  settings: StoreSettings,
  context: ServerStoreContext,
): Promise<MovableStore> =>
  withReason(settings, async () => {
    const { env, signal, target, naming } = context;
    const openMoved = async (migration: Migration): Promise<Backend> => {
      const moved = target();
      if (moved === undefined) throw new StartError(movedMessage(settings, migration));
      // The signal of the start has no meaning for a later move.
      const { signal: never } = new AbortController();
      return openBackendOf(moved, { ...openContextOf(context), signal: never });
    };
    const { storePrefix: prefix } = settings;
    const backend = await openOwnBackend(settings, context);
    const store = await MovableStore.open(backend, { prefix, openMoved, env }, signal);
    try {
      const { isShared, name: place } = store.place.backend;
      const otherPlaceFlag = isShared ? 'etcd-prefix' : 'data-dir';
      await claimNaming({ store, prefix, naming, place, otherPlaceFlag, env }, signal);
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  });

/** The settings with the folder of a naming below the default folder; undefined where the flags name another store. */
function settingsBelow<Settings extends StoreSettings>(
  settings: Settings,
  naming: Naming,
): Settings | undefined {
  const { flags, storage } = settings;
  const { name, initial } = apiServerFlags.dataDir;
  if (storage === 'etcd' || isGiven(flags, name) || flags.dataDir !== initial) return undefined;
  return { ...settings, flags: { ...flags, dataDir: join(flags.dataDir, naming) } };
}

/** The settings of the store that a server of a naming uses: in the default folder, that of the naming where there is one. */
export function settingsOfNaming<Settings extends StoreSettings>(
  settings: Settings,
  naming: Naming,
): Settings {
  const below = settingsBelow(settings, naming);
  return below !== undefined && existsSync(below.flags.dataDir) ? below : settings;
}

/** The store of the settings, or, where that is the default folder and has objects of another naming, the folder below it. */
async function openOwnBackend(settings: StoreSettings, context: ServerStoreContext): Promise<Backend> {
  const open = async (used: StoreSettings): Promise<Backend> => ({
    ...descriptionOf(used),
    store: await openBackend(used, context),
  });
  const { naming, signal, env, openStore, thread } = context;
  if (thread !== undefined) return openOfThread(settings, thread, env);
  if (openStore !== undefined)
    return { store: await openStore(), isShared: false, name: 'the store of this process' };
  const below = settingsBelow(settings, naming);
  if (below === undefined) return open(settings);
  if (existsSync(below.flags.dataDir)) return open(below);
  const backend = await open(settings);
  const found = await namingOfData(backend.store, settings.storePrefix, signal).catch(
    async (error: unknown) => {
      await backend.store.close();
      throw error;
    },
  );
  if (found === undefined || found === naming) return backend;
  await backend.store.close();
  env.log.warn('the default data folder has objects of another naming: using a folder below it', {
    naming: found,
    folder: below.flags.dataDir,
  });
  return open(below);
}

/** The embedded store of the process. */
async function openOfThread(
  settings: StoreSettings,
  thread: ThreadStore,
  env: OpenStoreContext['env'],
): Promise<Backend> {
  const { openThreadStore } = await import('@orch/storage/embedded');
  return { ...descriptionOf(settings), store: openThreadStore({ ...thread, env }) };
}

const openContextOf = ({
  env,
  workerUrl,
  reloading,
}: OpenStoreContext): Omit<OpenStoreContext, 'signal'> => ({
  env,
  workerUrl,
  ...(reloading === undefined ? {} : { reloading }),
});

/** Opens a store without translating revisions, for a migration. Throws a `StartError` with the reason. */
export const openBackendOf = (settings: StoreSettings, context: OpenStoreContext): Promise<Backend> =>
  withReason(settings, async () => ({
    ...descriptionOf(settings),
    store: await openBackend(settings, context),
  }));

const descriptionOf = (settings: StoreSettings): Omit<Backend, 'store'> => ({
  isShared: settings.storage === 'etcd',
  name: backendNameOf(settings),
});

/** The name of the store of these settings in messages and records. */
export const backendNameOf = (settings: StoreSettings): string =>
  settings.storage === 'etcd'
    ? placeNameOf(settings)
    : `the embedded store in ${resolve(placeNameOf(settings))}`;

const movedMessage = (settings: StoreSettings, { id, to }: Migration): string =>
  `the content of the store (${placeNameOf(settings)}) was moved to ${to} (migration ${id}): start the server with the flags of that store, or with --migration-target-file, a file with these flags`;

/**
 * Opens the store without translating revisions, for programs that change it as a whole. Throws a `StartError` with the
 * reason.
 */
export const openRawStore = (settings: StoreSettings, context: OpenStoreContext): Promise<Store> =>
  withReason(settings, () => openBackend(settings, context));

const openBackend = (settings: StoreSettings, context: OpenStoreContext): Promise<Store> =>
  settings.storage === 'etcd' ? openEtcd(settings, context) : openEmbedded(settings, context);

/** Runs a step of the start that reads the store. Throws a `StartError` with the reason where the store fails. */
export async function withReason<T>(settings: StoreSettings, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const reason = `cannot open the store (${placeNameOf(settings)}): ${openProblem(settings, error)}`;
    throw new StartError(reason, { cause: error });
  }
}

function openProblem({ storage, flags }: StoreSettings, error: StoreError): string {
  if (storage === 'etcd') return etcdConnectionProblem(error.message, flags);
  // Advice about permissions does not help with damaged files.
  return error.code === 'corrupt' ? error.message : writeProblem(flags.dataDir, error);
}

const placeNameOf = ({ storage, flags }: StoreSettings): string =>
  storage === 'etcd' ? `etcd at ${flags.etcdServers.join(', ')}` : flags.dataDir;

async function openEmbedded(
  { flags }: StoreSettings,
  { env, workerUrl, sharedWriter, onWriter }: OpenStoreContext,
): Promise<Store> {
  const { openEmbeddedStore } = await import('@orch/storage/embedded');
  return openEmbeddedStore({
    dir: flags.dataDir,
    env,
    ...(workerUrl === undefined ? {} : { workerUrl }),
    ...(sharedWriter === undefined ? {} : { sharedWriter }),
    ...(onWriter === undefined ? {} : { onWriter }),
  });
}

async function openEtcd(
  { flags, storePrefix }: StoreSettings,
  { env, reloading, signal }: OpenStoreContext,
): Promise<Store> {
  const files = etcdFiles(flags);
  const credentials = files.some(({ path }) => path !== '')
    ? credentialsIn(files, { env, reloading })
    : undefined;
  const { openEtcdStore } = await import('@orch/storage/etcd');
  const endpoints = flags.etcdServers;
  const explained = { ...env, log: explainedLog(env.log, flags) };
  const tls = credentials === undefined ? {} : { tls: credentials.current };
  try {
    const store = await openEtcdStore({ endpoints, env: explained, probeKey: storePrefix, ...tls }, signal);
    return credentials === undefined ? store : new StoreWithFiles(store, credentials.release);
  } catch (error) {
    credentials?.release();
    throw error;
  }
}

/** A store whose files are reloaded until it is closed. */
class StoreWithFiles extends ForwardingStore {
  readonly #release: () => void;

  constructor(inner: Store, release: () => void) {
    super(inner);
    this.#release = release;
  }

  override async close(): Promise<void> {
    this.#release();
    await super.close();
  }
}

/** The authorities of etcd, and the client certificate of this server with its key. */
const etcdFiles = (flags: StoreSettings['flags']): readonly FileFlag[] => [
  { flag: 'etcd-cafile', path: flags.etcdCaFile },
  { flag: 'etcd-certfile', path: flags.etcdCertFile },
  { flag: 'etcd-keyfile', path: flags.etcdKeyFile },
];

interface Credentials {
  /** Connections that are open keep those that they were opened with. */
  readonly current: () => TlsOptions;
  /** They are no longer reloaded. */
  readonly release: () => void;
}

function credentialsIn(
  files: readonly FileFlag[],
  { env, reloading }: Pick<OpenStoreContext, 'env'> & { readonly reloading: Reloading | undefined },
): Credentials {
  if (reloading === undefined) {
    const credentials = credentialsOf(textsOf(files), files);
    return { current: () => credentials, release: () => undefined };
  }
  const { reloads, metrics } = reloading;
  const reloaded = reloads.add(
    new ReloadedFiles<TlsOptions>({
      title: 'the credentials for etcd',
      files,
      read: (texts) => credentialsOf(texts, files),
      metrics: fileMetrics('etcd-certfile', { ...env, metrics }),
      env,
    }),
  );
  return { current: () => reloaded.current, release: () => reloads.remove(reloaded) };
}

function credentialsOf(texts: readonly string[], files: readonly FileFlag[]): TlsOptions {
  for (const [at, { flag, path }] of files.entries())
    if (path !== '' && texts[at]?.trim() === '') throw new StartError(`--${flag} ${path}: the file is empty`);
  const [ca = '', cert = '', key = ''] = texts;
  const [, certFile, keyFile] = files;
  if (certFile !== undefined && keyFile !== undefined && certFile.path !== '' && keyFile.path !== '') {
    const problem = keyPairProblem({ ...certFile, text: cert }, { ...keyFile, text: key });
    if (problem !== undefined) throw new StartError(problem);
  }
  const tls = {
    ...(ca === '' ? {} : { ca }),
    ...(cert === '' ? {} : { cert }),
    ...(key === '' ? {} : { key }),
  };
  try {
    createSecureContext(tls);
  } catch (error) {
    const names = files.filter(({ path }) => path !== '').map(({ flag, path }) => `--${flag} ${path}`);
    throw new StartError(`${names.join(', ')}: ${messageOf(error)}`);
  }
  return tls;
}

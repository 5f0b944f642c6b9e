import { AdmissionChain, type AdmissionPlugin, namespaceLifecycle } from '@orch/admission';
import {
  builtinTypes,
  defaultServerFeatures,
  type IsEnabled,
  type Release,
  type ResourceType,
  type ServedType,
  type ServerFeatures,
  typesAt,
} from '@orch/apis';
import type { ObjectSource, TokenIssuer } from '@orch/auth';
import { type CachedResource, createWatchCache, type WatchCache } from '@orch/cache';
import { type Names, type Naming, namesFor } from '@orch/machinery';
import { settle, type TestEnv, testEnv } from '@orch/machinery/testing';
import { durationMs } from '@orch/machinery/time';
import {
  type ApiServer,
  createServer,
  RequestRecords,
  type ServerOptions,
  type Tracing,
} from '@orch/pipeline';
import type { Answer, ApiRequest, Handler, ResourceContext } from '@orch/request';
import { ModelStore, type Store } from '@orch/storage';
import {
  type Access,
  type ChangeRecorder,
  cachedResourceOf,
  cacheNameOf,
  createRegistry,
  DEFAULT_STORE_PREFIX,
  objectSource,
  type PastObjects,
  RecentWrites,
  type RegistryLimits,
  type SchemaCompilers,
  type StoredEncoding,
  schemaCompilers,
} from '../index.ts';
import type { AdmissionParts } from '../registry.ts';
import { type Answered, type RequestParts, readAnswer, requestOf } from './answers.ts';
import { type Assemble, noConnections, type ServedParts, servedParts } from './assembling.ts';
import { type Watching, watchingOf } from './watching.ts';

export interface RegistryFixtureOptions {
  readonly release?: Release;
  /** Features that differ from those of the release. */
  readonly features?: Partial<ServerFeatures>;
  readonly naming?: Naming;
  readonly openGates?: ReadonlySet<string>;
  /** Compilers for the naming, the release and the gates of several fixtures; own ones when absent. */
  readonly compilers?: SchemaCompilers;
  /** Also reads and writes CBOR. */
  readonly cbor?: boolean;
  readonly types?: readonly ResourceType[];
  /** Reports whether a version of the release is served; the default versions when absent. */
  readonly isEnabled?: IsEnabled;
  /** Authentication and authorization; when absent, every client is `tester` and may do everything. */
  readonly access?: Access;
  /** The same, built from the objects of the cache. */
  readonly accessOf?: (source: ObjectSource, names: Names) => Access;
  /** Wraps the store, to fail or to count. */
  readonly wrap?: (store: Store) => Store;
  /** The store of another fixture: a second replica. */
  readonly store?: ModelStore;
  /** Serves the definitions that the store has before the cache is loaded, as a server does; otherwise after it. */
  readonly primed?: boolean;
  readonly seed?: number;
  /** Shared with others, for several servers on one clock; a separate one by `seed` when absent. */
  readonly env?: TestEnv;
  readonly limits?: Partial<RegistryLimits>;
  /** The number of seats that flow control divides among the priority levels; there is no flow control when absent. */
  readonly seats?: number;
  /** How objects are written. */
  readonly storedAs?: StoredEncoding;
  /** Whether the status of API services is maintained; true when absent. */
  readonly maintainsApiServices?: boolean;
  /** Traces requests. */
  readonly tracing?: Tracing;
  /** Admission plugins after NamespaceLifecycle, in their order. */
  readonly plugins?: readonly AdmissionPlugin[];
  /** Further ones that need parts of the registry and the objects of the cache. */
  readonly pluginsOf?: (
    parts: AdmissionParts & { readonly source: ObjectSource },
  ) => readonly AdmissionPlugin[];
  /** Keeps a history of objects. */
  readonly historyOf?: (parts: {
    readonly store: Store;
    readonly env: TestEnv;
    readonly names: Names;
  }) => KeptHistory;
  /** The program of the thread that parses large bodies of YAML. */
  readonly yamlThread?: URL;
  /** Makes tokens of service accounts, by the fixture's clock. */
  readonly tokenIssuerOf?: (env: TestEnv, names: Names) => TokenIssuer;
}

/** A history of objects: what records their changes, and what serves them. */
export interface KeptHistory {
  readonly recorder: ChangeRecorder;
  handler(parts: {
    readonly past: PastObjects;
    readonly authorizer: Access['authorizer'];
  }): Handler<ResourceContext>;
}

const everybody: Access = {
  authenticator: {
    authenticate: () => ({
      kind: 'user',
      user: { name: 'tester', uid: '', groups: ['system:masters'], extra: {} },
    }),
  },
  authorizer: { authorize: () => ({ verdict: 'allow', reason: '' }) },
};

/**
 * Resources in process: model store, real cache, real pipeline, all users may do everything. `assemble` chooses what is
 * built on the registry.
 */
export class RegistryFixture<Parts extends ServedParts = ServedParts> implements AsyncDisposable {
  readonly env: TestEnv;
  readonly names: Names;
  readonly model: ModelStore;
  readonly store: Store;
  readonly cache: WatchCache;
  /** The remembered requests. */
  readonly records: RequestRecords;
  readonly registry: Parts;
  readonly #server: ApiServer;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #following: Promise<unknown>;

  protected constructor(options: RegistryFixtureOptions, assemble: Assemble<Parts>) {
    const { release = '1.24', cbor = false } = options;
    this.env = options.env ?? testEnv({ seed: options.seed ?? 1 });
    this.names = options.compilers?.names ?? namesFor(options.naming ?? 'orch');
    this.model = options.store ?? new ModelStore({ clock: this.env.clock });
    this.store = options.wrap?.(this.model) ?? this.model;
    const types = typesAt(release, options.types ?? builtinTypes, options.isEnabled);
    const compilers = options.compilers ?? schemaCompilers({ ...options, names: this.names, release });
    const { wholeCodecs: codecs, protobufCodecs: messages } = compilers;
    const recentWrites = new RecentWrites();
    const cached = (type: ServedType): CachedResource =>
      cachedResourceOf(type, { names: this.names, codecs, messages, recentWrites });
    this.cache = createWatchCache({
      store: this.store,
      prefix: DEFAULT_STORE_PREFIX,
      resources: types.filter((type) => type.virtual !== true).map(cached),
      env: this.env,
    });
    const access = options.accessOf?.(objectSource(this.cache), this.names) ?? options.access ?? everybody;
    this.records = new RequestRecords(this.env.clock, this.names);
    const history = options.historyOf?.(this);
    this.registry = assemble({
      records: this.records,
      recorder: history?.recorder,
      names: this.names,
      access,
      types: options.types ?? builtinTypes,
      customResources: { cache: this.cache, cachedResourceOf: cached },
      store: this.store,
      recentWrites,
      cacheOf: (type) => {
        const cache = this.cache.resource(cacheNameOf(type));
        if (cache === undefined) throw new Error(`no cache for ${type.resource}`);
        return cache;
      },
      env: this.env,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      release,
      compilers,
      features: { ...defaultServerFeatures(release), cbor, ...options.features },
      ...(options.isEnabled === undefined ? {} : { isEnabled: options.isEnabled }),
      ...(options.openGates === undefined ? {} : { openGates: options.openGates }),
      ...(options.storedAs === undefined ? {} : { storedAs: options.storedAs }),
      admission: this.#chainOf(options),
      tokenIssuer: options.tokenIssuerOf?.(this.env, this.names),
      yamlThread: options.yamlThread,
    });
    this.#server = createServer({
      env: this.env,
      names: this.names,
      ...access,
      tracing: options.tracing,
      records: this.records,
      history: history?.handler({ past: this.registry.past, authorizer: access.authorizer }),
      resources: this.registry.resources,
      servesResource: (info) => this.registry.servesResource(info),
      routes: this.registry.routes,
      servesCbor: cbor,
      apiPaths: () => this.registry.apiPaths(),
      requestTimeoutMs: 60_000,
      ...this.#limitsOf(options.seats),
      parseDuration: durationMs,
    });
    const { maintainsApiServices = true, primed = false } = options;
    const { signal } = this.#stop;
    const { definitions, aggregation } = this.registry;
    const priming = primed ? definitions?.prime(signal) : undefined;
    const run = (): Promise<void> => this.cache.run(signal);
    const follow = (): Promise<unknown> =>
      Promise.all([definitions?.run(signal), maintainsApiServices ? aggregation?.run(signal) : undefined]);
    this.#running = priming?.then(run) ?? run();
    this.#following = priming?.then(follow) ?? follow();
  }

  #limitsOf(
    seats: number | undefined,
  ): Pick<ServerOptions, 'maxRequestsInflight' | 'maxMutatingRequestsInflight' | 'flowControl'> {
    if (seats === undefined) return { maxRequestsInflight: 400, maxMutatingRequestsInflight: 200 };
    const { registry } = this;
    const flowControl = {
      source: objectSource(this.cache),
      countObjects: registry.countObjects,
      countWatchers: registry.countWatchers,
      countBytes: registry.countBytes,
    };
    return { maxRequestsInflight: seats, maxMutatingRequestsInflight: 0, flowControl };
  }

  #chainOf({
    plugins = [],
    pluginsOf = () => [],
  }: Pick<RegistryFixtureOptions, 'plugins' | 'pluginsOf'>): (parts: AdmissionParts) => AdmissionChain {
    const parts = { ...this.env, names: this.names };
    return (registryParts) => {
      const source = objectSource(this.cache, 'failing');
      const all = [namespaceLifecycle({ ...parts, source }), ...plugins];
      return new AdmissionChain([...all, ...pluginsOf({ ...registryParts, source })], parts);
    };
  }

  /** The registry alone, with the namespaces of the system. */
  static async open(options: RegistryFixtureOptions = {}): Promise<RegistryFixture> {
    return RegistryFixture.assembled(options, (registry) =>
      servedParts(createRegistry({ ...registry, connector: noConnections })),
    );
  }

  /** A registry with what `assemble` builds on it. */
  static async assembled<Parts extends ServedParts>(
    options: RegistryFixtureOptions,
    assemble: Assemble<Parts>,
  ): Promise<RegistryFixture<Parts>> {
    const fixture = new RegistryFixture(options, assemble);
    await fixture.start();
    return fixture;
  }

  /** Creates the first objects and waits until the cache is loaded. */
  protected async start(): Promise<void> {
    const { signal } = new AbortController();
    await this.registry.bootstrap(signal);
    await this.cache.ready(signal);
  }

  raw(request: ApiRequest): Answer {
    return this.#server.handle(request);
  }

  async send(method: string, target: string, parts: RequestParts = {}): Promise<Answered> {
    return readAnswer(await this.#server.handle(requestOf(method, target, parts)));
  }

  get = (target: string, parts: RequestParts = {}): Promise<Answered> => this.send('GET', target, parts);
  post = (target: string, body: unknown, parts: RequestParts = {}): Promise<Answered> =>
    this.send('POST', target, { ...parts, body });
  put = (target: string, body: unknown, parts: RequestParts = {}): Promise<Answered> =>
    this.send('PUT', target, { ...parts, body });
  delete = (target: string, body?: unknown, parts: RequestParts = {}): Promise<Answered> =>
    this.send('DELETE', target, { ...parts, body });
  patch = (
    target: string,
    body: unknown,
    kind: 'json' | 'merge' = 'merge',
    parts: RequestParts = {},
  ): Promise<Answered> =>
    this.send('PATCH', target, {
      ...parts,
      body,
      contentType: kind === 'json' ? 'application/json-patch+json' : 'application/merge-patch+json',
    });

  /** Opens a watch; `status` and `events` hold an error answer too. */
  async watch(target: string, parts: RequestParts = {}): Promise<Watching> {
    const request = requestOf('GET', target, parts);
    return watchingOf(await this.#server.handle(request), request);
  }

  /** Waits until the cache has all commits. */
  async settled(): Promise<void> {
    const rev = await this.model.currentRevision(this.#stop.signal);
    for (let turn = 0; turn < 200 && this.cache.revision() < rev; turn++) await settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('test is over'));
    await this.#running.catch(() => {});
    await this.#following;
    this.#server.close();
  }
}

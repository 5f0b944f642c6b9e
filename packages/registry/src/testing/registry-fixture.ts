import { AdmissionChain, type AdmissionPlugin } from '@orch/admission';
import {
  builtinTypes,
  type IsEnabled,
  type Release,
  type ResourceType,
  type ServedType,
  typesAt,
} from '@orch/apis';
import type { ObjectSource, TokenIssuer } from '@orch/auth';
import { type CachedResource, createWatchCache, type WatchCache } from '@orch/cache';
import { durationMs, errors, type Names, type Naming, namesFor } from '@orch/machinery';
import { settle, type TestEnv, testEnv } from '@orch/machinery/testing';
import { type ApiServer, createServer, type Tracing } from '@orch/pipeline';
import {
  type Answer,
  type ApiRequest,
  type BodySink,
  chunkPayload,
  localRequest,
  type Reply,
  type Route,
} from '@orch/request';
import { ModelStore, type Store } from '@orch/storage';
import {
  type Access,
  type Connector,
  cachedResourceOf,
  cacheNameOf,
  conversionCodecs,
  conversionMessages,
  createRegistry,
  DEFAULT_STORE_PREFIX,
  objectSource,
  RecentWrites,
  type Registry,
  type RegistryLimits,
  type RegistryOptions,
  type ServerContext,
  type StoredEncoding,
} from '../index.ts';

/** An answer, read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any form.
  readonly json: any;
}

export interface RequestParts {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A watch in progress: its events so far, parsed. */
export interface Watching {
  // biome-ignore lint/suspicious/noExplicitAny: events of any form.
  readonly events: any[];
  /** The received chunks of a watch that is not JSON; such a watch has no `events`. */
  readonly frames: Buffer[];
  readonly status: number;
  readonly ended: Promise<void>;
  /** Until at least `count` events or frames have come, or the watch has ended. */
  until(count: number): Promise<void>;
  stop(): void;
  drain(): void;
}

export interface RegistryFixtureOptions {
  readonly release?: Release;
  readonly naming?: Naming;
  readonly openGates?: ReadonlySet<string>;
  readonly types?: readonly ResourceType[];
  /** Which versions are served of those that the release has; those that are by default when absent. */
  readonly isEnabled?: IsEnabled;
  /** Authentication and authorization; when absent, every client is `tester` and may do everything. */
  readonly access?: Access;
  /** The same, built from the objects of the cache. */
  readonly accessOf?: (source: ObjectSource, names: Names) => Access;
  /** Wraps the store, to fail or to count. */
  readonly wrap?: (store: Store) => Store;
  /** The store of another fixture: a second replica. */
  readonly store?: ModelStore;
  readonly seed?: number;
  /** Shared with others, for several servers on one clock; a separate one by `seed` when absent. */
  readonly env?: TestEnv;
  readonly limits?: Partial<RegistryLimits>;
  /** How objects are written. */
  readonly storedAs?: StoredEncoding;
  /** Traces requests. */
  readonly tracing?: Tracing;
  /** Admission plugins, in their order; none when absent. */
  readonly plugins?: readonly AdmissionPlugin[];
  /** Makes tokens of service accounts, by the fixture's clock. */
  readonly tokenIssuerOf?: (env: TestEnv, names: Names) => TokenIssuer;
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

/** What a fixture serves: a registry and what is built on it. */
export interface ServedParts extends Omit<Registry, 'internal' | 'served' | 'dynamic'> {
  /** Serves custom resources while the fixture is open. */
  readonly definitions?: { run(signal: AbortSignal): Promise<void> };
  readonly routes: readonly Route[];
  apiPaths(): readonly string[];
  /** Creates the objects that are there before the first request. */
  bootstrap(signal: AbortSignal): Promise<void>;
}

/** Joins a registry of the given options with what is built on it. */
export type Assemble<Parts extends ServedParts> = (options: AssembleOptions) => Parts;

export interface AssembleOptions extends Omit<RegistryOptions, 'connector'> {
  /** The watch cache of the fixture, and how it reads the objects of further resources. */
  readonly customResources: {
    readonly cache: WatchCache;
    readonly cachedResourceOf: (type: ServedType) => CachedResource;
  };
}

/** A connector for registries that connect to nothing. */
export const noConnections: Connector = {
  connect: () => Promise.reject(errors.serviceUnavailable('this server connects to nothing')),
};

/** A registry with the namespaces of the system, and what is built on it. */
export function servedParts(
  { internal, served: _, dynamic: _dynamic, ...registry }: Registry,
  parts: Partial<ServedParts> = {},
): ServedParts {
  return {
    ...registry,
    routes: [],
    apiPaths: () => [],
    bootstrap: (signal) => createNamespaces(internal, signal),
    ...parts,
  };
}

async function createNamespaces({ names, objects }: ServerContext, signal: AbortSignal): Promise<void> {
  const namespaces = objects.resource('', 'namespaces');
  const content = { kind: 'Namespace', apiVersion: 'v1', metadata: {} };
  await Promise.all(
    Object.values(names.namespaces).map(async (name) => {
      const own = { namespace: '', name };
      const present = await namespaces?.read(own, signal);
      if (present === undefined) await namespaces?.create(own, content, signal);
    }),
  );
}

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
  readonly registry: Parts;
  readonly #server: ApiServer;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #following: Promise<void> | undefined;

  protected constructor(options: RegistryFixtureOptions, assemble: Assemble<Parts>) {
    const release = options.release ?? '1.24';
    this.env = options.env ?? testEnv({ seed: options.seed ?? 1 });
    this.names = namesFor(options.naming ?? 'orch');
    this.model = options.store ?? new ModelStore({ clock: this.env.clock });
    this.store = options.wrap?.(this.model) ?? this.model;
    const types = typesAt(release, options.types ?? builtinTypes, options.isEnabled);
    const codecs = conversionCodecs(this.names, release, options.openGates);
    const messages = conversionMessages(this.names, release, options.openGates);
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
    this.registry = assemble({
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
      ...(options.isEnabled === undefined ? {} : { isEnabled: options.isEnabled }),
      ...(options.openGates === undefined ? {} : { openGates: options.openGates }),
      ...(options.storedAs === undefined ? {} : { storedAs: options.storedAs }),
      ...(options.plugins === undefined ? {} : { admission: this.#chainOf(options.plugins) }),
      tokenIssuer: options.tokenIssuerOf?.(this.env, this.names),
    });
    this.#server = createServer({
      env: this.env,
      names: this.names,
      ...access,
      tracing: options.tracing,
      resources: this.registry.resources,
      servesResource: (info) => this.registry.servesResource(info),
      routes: this.registry.routes,
      apiPaths: () => this.registry.apiPaths(),
      requestTimeoutMs: 60_000,
      maxRequestsInflight: 400,
      maxMutatingRequestsInflight: 200,
      parseDuration: durationMs,
    });
    this.#running = this.cache.run(this.#stop.signal);
    this.#following = this.registry.definitions?.run(this.#stop.signal);
  }

  #chainOf(plugins: readonly AdmissionPlugin[]): () => AdmissionChain {
    return () => new AdmissionChain(plugins, { ...this.env, names: this.names });
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
    const { request } = this.#request(method, target, parts);
    return read(await this.#server.handle(request));
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
    const { request } = this.#request('GET', target, parts);
    const reply = await this.#server.handle(request);
    const draining = new AbortController();
    const events: unknown[] = [];
    if (reply.kind !== 'stream') {
      const answered = await read(reply);
      return {
        events: [answered.json],
        frames: [],
        status: answered.status,
        ended: Promise.resolve(),
        until: async () => {},
        stop() {},
        drain() {},
      };
    }
    const frames: Buffer[] = [];
    const isJson = String(reply.headers['Content-Type']).startsWith('application/json');
    const take = (bytes: Buffer): boolean => {
      if (!isJson) frames.push(Buffer.from(bytes));
      else for (const line of bytes.toString().split('\n')) if (line !== '') events.push(JSON.parse(line));
      return true;
    };
    const sink: BodySink = {
      write: take,
      writeFramed: (frames) => frames.map((frame) => take(chunkPayload(frame))).every(Boolean),
      drained: async () => {},
    };
    let over = false;
    const ended = reply.run(sink, { signal: request.signal, draining: draining.signal }).finally(() => {
      over = true;
    });
    return {
      events: events as Watching['events'],
      frames,
      status: reply.status,
      ended,
      async until(count) {
        const enough = (): boolean => (isJson ? events : frames).length >= count;
        for (let turn = 0; turn < 200 && !enough() && !over; turn++) await settle();
      },
      stop: () => request.cancel(new Error('stopped')),
      drain: () => draining.abort(),
    };
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

  #request(method: string, target: string, parts: RequestParts) {
    const { body, contentType, accept } = parts;
    const request = localRequest({
      method,
      target,
      headers: {
        ...(accept === undefined ? {} : { accept }),
        ...(contentType === undefined
          ? body === undefined
            ? {}
            : { 'content-type': 'application/json' }
          : { 'content-type': contentType }),
        ...parts.headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    return { request };
  }
}

async function read(reply: Reply): Promise<Answered> {
  let bytes: Buffer;
  if (reply.kind === 'bytes') bytes = reply.body;
  else if (reply.kind === 'chunks') {
    const chunks: Buffer[] = [];
    for await (const chunk of reply.chunks) chunks.push(chunk);
    bytes = Buffer.concat(chunks);
    if (reply.length !== undefined && reply.length !== bytes.length) throw new Error('length is wrong');
  } else throw new Error('an answer that streams');
  const text = bytes.toString();
  let json: { readonly value: unknown } | undefined;
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    bytes,
    // Many answers are not JSON.
    get json() {
      json ??= { value: parsed(text) };
      return json.value;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const configMap = (
  name: string,
  data: Record<string, string> = {},
  metadata: object = {},
): object => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, ...metadata },
  data,
});

export const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
});

import type { OpenConnections } from '@orch/aggregation';
import { builtinTypes, type Release } from '@orch/apis';
import { LoopbackListener } from '@orch/apiserver';
import type { OpenWebhook, UserInfo } from '@orch/auth';
import type { Transport, TransportRequest, TransportResponse } from '@orch/client';
import { TransportError } from '@orch/client';
import type { Names, Random } from '@orch/machinery';
import type { TestEnv } from '@orch/machinery/testing';
import { type SchemaCompilers, schemaCompilers } from '@orch/registry';
import { ApiFixture, type ApiFixtureOptions } from '@orch/server/testing';
import type { MovableStore, Store } from '@orch/storage';
import type { WriteRecord } from '../../shared/checks.ts';
import { openMovable, StoreConnections } from './connections.ts';
import type { Defect } from './defect.ts';
import { guardPlugins } from './guard-plugins.ts';
import { ALL_SEATS, accessWithCrowd, SeatCheck } from './seats.ts';
import type { Stores } from './stores.ts';
import type { Trace } from './trace.ts';

const user: UserInfo = { name: 'manager', uid: '', groups: ['system:masters'], extra: {} };

/** The kinds that take part: each one more costs every seed its caches, and its informers in every manager. */
const kinds: ReadonlySet<string> = new Set([
  'ConfigMap',
  'Secret',
  'Namespace',
  'ServiceAccount',
  'Event',
  'Lease',
  'CertificateSigningRequest',
]);
const types = builtinTypes.filter(({ kind }) => kinds.has(kind));
const typesWithDefinitions = builtinTypes.filter(
  ({ kind }) => kinds.has(kind) || kind === 'CustomResourceDefinition',
);
const typesWithGuards = builtinTypes.filter(
  ({ kind, group }) =>
    kinds.has(kind) || (group === 'admissionregistration' && !kind.startsWith('MutatingAdmission')),
);
const typesWithExtensions = builtinTypes.filter(
  ({ kind }) => kinds.has(kind) || ['APIService', 'Service', 'Endpoints'].includes(kind),
);
const typesWithLevels = builtinTypes.filter(({ kind, group }) => kinds.has(kind) || group === 'flowcontrol');

/** Servers of both run together, as during an upgrade or its rollback. */
const releases = ['1.24', '1.30'] as const;
/** Those that have admission policies, and the newest version of flow control. */
const newerReleases = ['1.30', '1.33'] as const;

/** Servers of all simulations of one release share what they compile. */
const compiled = new Map<string, SchemaCompilers>();

function compilersOf(names: Names, release: Release): SchemaCompilers {
  const found = compiled.get(release) ?? schemaCompilers({ names, release });
  compiled.set(release, found);
  return found;
}

export interface ReplicaOptions {
  readonly name: string;
  readonly names: Names;
  readonly env: TestEnv;
  readonly stores: Stores;
  /** Of the faults of its store. */
  readonly random: Random;
  readonly audit: WriteRecord[];
  readonly trace: Trace;
  readonly defect: Defect;
  /** Chooses the emulated release of each start. */
  readonly releases: Random;
  /** Converts custom resources; there are none when absent. */
  readonly openWebhook: OpenWebhook | undefined;
  /** The admission webhooks; the server has no guards when absent. */
  readonly openAdmission: OpenWebhook | undefined;
  /** Makes the connections of a server to extension API servers; there are none when absent. */
  readonly openConnections: ((replica: Replica) => OpenConnections) | undefined;
  /** Whether clients share the few seats of a priority level. */
  readonly hasFlowControl: boolean;
}

const version = (): TransportResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: (async function* () {
    yield Buffer.from('{"major":"1","minor":"24"}');
  })(),
});

/** An API server that can be killed: everything under way breaks off, and a new one takes its place when it is started. */
export class Replica {
  readonly name: string;
  readonly #options: ReplicaOptions;
  #fixture: ApiFixture | undefined;
  #loopback: LoopbackListener | undefined;
  /** Its connections to stores. */
  connections: StoreConnections | undefined;
  /** The store that it uses, when that can be another one. */
  movable: MovableStore | undefined;
  #following: Promise<void> | undefined;
  #stop = new AbortController();
  #seats: SeatCheck | undefined;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.name = options.name;
  }

  get isUp(): boolean {
    return this.#fixture !== undefined;
  }

  /** The revision that its cache has reached; undefined while it is down. */
  get revision(): number | undefined {
    return this.#fixture?.cache.revision();
  }

  /** Throws if requests were executed without seats. */
  check(): void {
    this.#seats?.check(this.name);
  }

  async start(): Promise<void> {
    const { env, stores, random, defect, hasFlowControl } = this.#options;
    const alter = (one: Store): Store => defect.store?.(one) ?? one;
    const connections = new StoreConnections({ clock: env.clock, random, alter });
    this.connections = connections;
    this.#stop = new AbortController();
    const store = stores.isMovable ? await this.#openMovable(connections) : connections.to(stores.first);
    const seats = new SeatCheck(store);
    this.#seats = hasFlowControl ? seats : undefined;
    const fixture = await ApiFixture.open({
      env,
      store: stores.first,
      wrap: () => (hasFlowControl ? seats : store),
      ...this.#kindsOf(this.#options),
    });
    defect.cache?.(fixture.cache);
    this.#fixture = fixture;
    this.#loopback = new LoopbackListener(user, env);
  }

  /** The kinds, the release and the extensions of a server. */
  #kindsOf({
    openWebhook,
    openAdmission,
    openConnections,
    hasFlowControl,
    ...rest
  }: ReplicaOptions): ApiFixtureOptions {
    const { env, names, defect, releases: random } = rest;
    const isOlder = openAdmission === undefined && !hasFlowControl;
    const release = (isOlder ? releases : newerReleases)[random.int(releases.length)] ?? '1.30';
    const shared = { release, compilers: compilersOf(names, release) };
    if (hasFlowControl)
      return { ...shared, types: typesWithLevels, seats: ALL_SEATS, access: accessWithCrowd };
    if (openWebhook !== undefined) return { ...shared, types: typesWithDefinitions, openWebhook };
    if (openConnections !== undefined) {
      const open = openConnections(this);
      const aggregation = { openConnections: defect.extensions?.(open) ?? open };
      return { ...shared, types: typesWithExtensions, aggregation };
    }
    if (openAdmission === undefined) return { ...shared, types };
    const pluginsOf: ApiFixtureOptions['pluginsOf'] = (parts) => {
      const plugins = guardPlugins({ ...parts, ...env, names, openWebhook: openAdmission });
      return defect.plugins?.(plugins) ?? plugins;
    };
    return { ...shared, types: typesWithGuards, pluginsOf };
  }

  async #openMovable(connections: StoreConnections): Promise<MovableStore> {
    const { env, stores, trace } = this.#options;
    const { signal } = this.#stop;
    const movable = await openMovable(connections, stores, { env, signal });
    this.movable = movable;
    this.#following = movable.run(signal).catch((error: unknown) => {
      // A server ends when it cannot follow the content.
      trace.note(`${this.name} ends: ${error}`);
      this.#following = undefined;
      void this.kill();
    });
    return movable;
  }

  /** Aborts when the server ends. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  async kill(): Promise<void> {
    const [fixture, listener, movable] = [this.#fixture, this.#loopback, this.movable];
    this.movable = undefined;
    this.#stop.abort(new Error('the server was killed'));
    this.#fixture = undefined;
    this.#loopback = undefined;
    listener?.close();
    await fixture?.[Symbol.asyncDispose]();
    await this.#following;
    await movable?.close();
  }

  /** As a rolling restart does it: watches end cleanly before the server does. */
  async drain(): Promise<void> {
    this.#fixture?.cache.drain();
    this.#loopback?.drain();
    await this.kill();
  }

  /** Responds as over a network: a killed server does not respond. */
  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    const [fixture, listener] = [this.#fixture, this.#loopback];
    if (fixture === undefined || listener === undefined)
      throw new TransportError('notSent', 'connection refused');
    // The one document outside of the resources that managers request.
    if (request.target === '/version') return version();
    const { defect, env, trace } = this.#options;
    const receivedAt = env.clock.monotonic();
    const altered = defect.request?.(request) ?? request;
    const transport = listener.transport({ handle: (one) => fixture.raw(one) });
    const { status, headers, body } = await transport.send(altered, signal);
    const { method, target } = request;
    const userAgent = String(request.headers['user-agent'] ?? '');
    trace.note(`${this.name}: ${status} to ${method} ${target} of ${userAgent}`);
    if (method !== 'GET') {
      const answeredAt = env.clock.monotonic();
      this.#options.audit.push({ method, target, userAgent, status, receivedAt, answeredAt });
    }
    return { status, headers, body };
  }
}

export const asTransport = (send: Transport['send']): Transport => ({
  send,
  reset: () => undefined,
  close: async () => undefined,
});

/** A connection to any server that currently runs. */
export const throughAny = (random: Random, replicas: readonly Replica[]): Transport =>
  asTransport(async (request, signal) => {
    const up = replicas.filter(({ isUp }) => isUp);
    const replica = up[random.int(Math.max(1, up.length))];
    if (replica === undefined) throw new TransportError('notSent', 'nobody answers');
    return replica.send(request, signal);
  });

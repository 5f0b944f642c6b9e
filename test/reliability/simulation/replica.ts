import { builtinTypes } from '@orch/apis';
import { LoopbackListener } from '@orch/apiserver';
import type { UserInfo } from '@orch/auth';
import type { Transport, TransportRequest, TransportResponse } from '@orch/client';
import { TransportError } from '@orch/client';
import type { Random } from '@orch/machinery';
import type { TestEnv } from '@orch/machinery/testing';
import { ApiFixture } from '@orch/server/testing';
import type { ModelStore } from '@orch/storage';
import type { FaultyStore } from '@orch/storage/conformance';
import type { WriteRecord } from '../shared/checks.ts';

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

export interface ReplicaOptions {
  readonly env: TestEnv;
  readonly model: ModelStore;
  readonly wrap: (store: ModelStore) => FaultyStore;
  readonly audit: WriteRecord[];
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
  readonly #options: ReplicaOptions;
  #fixture: ApiFixture | undefined;
  #loopback: LoopbackListener | undefined;
  store: FaultyStore | undefined;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#fixture !== undefined;
  }

  async start(): Promise<void> {
    const { env, model, wrap } = this.#options;
    this.store = wrap(model);
    const store = this.store;
    this.#fixture = await ApiFixture.open({ env, store: model, types, wrap: () => store });
    this.#loopback = new LoopbackListener(user, env);
  }

  async kill(): Promise<void> {
    const [fixture, listener] = [this.#fixture, this.#loopback];
    this.#fixture = undefined;
    this.#loopback = undefined;
    listener?.close();
    await fixture?.[Symbol.asyncDispose]();
  }

  /** Responds as over a network: a killed server does not respond. */
  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    const [fixture, listener] = [this.#fixture, this.#loopback];
    if (fixture === undefined || listener === undefined)
      throw new TransportError('notSent', 'connection refused');
    // The one document outside of the resources that managers request.
    if (request.target === '/version') return version();
    const { clock } = this.#options.env;
    const receivedAt = clock.monotonic();
    const response = await listener.transport({ handle: (one) => fixture.raw(one) }).send(request, signal);
    const { status, headers, body } = response;
    if (request.method !== 'GET') {
      const userAgent = String(request.headers['user-agent'] ?? '');
      const { method, target } = request;
      this.#options.audit.push({
        method,
        target,
        userAgent,
        status,
        receivedAt,
        answeredAt: clock.monotonic(),
      });
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

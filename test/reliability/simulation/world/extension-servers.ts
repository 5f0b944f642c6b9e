import assert from 'node:assert/strict';
import type { EndpointConnections, OpenConnections } from '@orch/aggregation';
import { type ApiObject, type Clock, errors } from '@orch/machinery';
import { aborted, anySignal, sleep } from '@orch/machinery/concurrency';
import { parseJson } from '@orch/machinery/json';
import { NotSent, OutboundFailure, type OutboundRequest, type ReceivedAnswer } from '@orch/outbound';
import type { History, StoredChange } from './history.ts';

export const extensionGroup = 'extended.example.com';
export const apiServiceName = `v1.${extensionGroup}`;
/** The services that may lead to the extension API server, and the addresses that each may have. */
export const extensionServices: Readonly<Record<string, readonly [string, string]>> = {
  blue: ['198.51.100.1', '198.51.100.2'],
  green: ['198.51.100.3', '198.51.100.4'],
};
const hosts = Object.values(extensionServices).flat();

const MAX_DELAY_MS = 6000;
const states = ['refuses', 'breaks', 'hangs', 'is slow'] as const;
type State = 'works' | (typeof states)[number];

const resources = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${extensionGroup}/v1`,
  resources: [
    {
      ...{ name: 'items', singularName: 'item', namespaced: true, kind: 'Item' },
      verbs: ['create', 'get', 'list'],
    },
  ],
};

/** Where a replica sends requests, and what it knows. */
interface Sender {
  readonly name: string;
  /** The revision that the cache of the replica has reached. */
  readonly revision: number | undefined;
}

/**
 * The servers of an extension API, one at each address, with one content. Each fails by itself. A request that a replica sends
 * to a server that is not the current one, as far as the replica knows, is a failure of the simulation.
 */
export class ExtensionServers {
  readonly #clock: Clock;
  readonly #history: History;
  readonly #states = new Map<string, State>();
  readonly #items = new Map<string, ApiObject>();
  /** How often a creation of each name was received. */
  readonly #received = new Map<string, number>();
  #changed = new AbortController();
  #requests = 0;
  failure: Error | undefined;

  constructor(clock: Clock, history: History) {
    this.#clock = clock;
    this.#history = history;
  }

  /** One of them, or all, fail in one of the ways. */
  fail(choice: number): void {
    const state = states[choice % states.length] ?? 'refuses';
    const which = Math.floor(choice / states.length) % (2 * hosts.length);
    this.#set(which >= hosts.length ? hosts : hosts.slice(which, which + 1), state);
  }

  failAll(state: Exclude<State, 'works'>): void {
    this.#set(hosts, state);
  }

  endFailures(): void {
    this.#set(hosts, 'works');
  }

  /** How often a creation was received. */
  receivedOf(name: string): number {
    return this.#received.get(name) ?? 0;
  }

  connectionsOf(sender: () => Sender): OpenConnections {
    return ({ host }): EndpointConnections => ({
      request: (request, signal) => {
        this.#checkRoute(sender(), host, request);
        return this.#answer(host, request, signal);
      },
      retire: () => undefined,
    });
  }

  #set(which: readonly string[], state: State): void {
    for (const host of which) this.#states.set(host, state);
    // Connections to a server that hangs are cut.
    this.#changed.abort();
    this.#changed = new AbortController();
  }

  /** A change of an API service, or of endpoints, takes effect before the next request of a user. */
  #checkRoute({ name, revision = 0 }: Sender, host: string, { target }: OutboundRequest): void {
    if (!target.includes('/items')) return;
    const allowed = addressesSince(this.#history.routes, revision);
    if (allowed.has(host)) return;
    const current = [...allowed].join(' or ');
    this.failure ??= new assert.AssertionError({
      message: `${name} knows revision ${revision} and sends a request to the extension server ${host} instead of ${current}`,
    });
  }

  async #answer(host: string, request: OutboundRequest, signal: AbortSignal): Promise<ReceivedAnswer> {
    const state = this.#states.get(host) ?? 'works';
    using either = anySignal([signal, this.#changed.signal]);
    switch (state) {
      case 'refuses':
        throw new NotSent(errors.serviceUnavailable(`dial ${host}: connection refused`));
      case 'hangs':
        await aborted(either.signal);
        signal.throwIfAborted();
        throw new OutboundFailure('the connection was closed before an answer');
      case 'is slow':
        // As fast as usual at times.
        await sleep(this.#clock, (this.#requests++ * 1777) % MAX_DELAY_MS, signal);
        return this.#processed(request);
      case 'breaks':
        await this.#processed(request);
        throw new OutboundFailure('the connection was closed before an answer');
      case 'works':
        return this.#processed(request);
    }
  }

  async #processed({ method, target, body }: OutboundRequest): Promise<ReceivedAnswer> {
    const [path = ''] = target.split('?');
    if (!path.includes('/items')) return answerOf(path.startsWith('/apis/') ? 200 : 404, resources);
    if (method === 'POST') return this.#create(await jsonOf(body));
    const name = path.split('/items/')[1];
    const items = [...this.#items.values()];
    const list = { kind: 'ItemList', apiVersion: `${extensionGroup}/v1`, metadata: {}, items };
    if (name === undefined) return answerOf(200, list);
    const found = this.#items.get(name);
    return found === undefined ? answerOf(404, errors.plain(404, `no ${name}`).status) : answerOf(200, found);
  }

  #create(object: ApiObject): ReceivedAnswer {
    const { name = '' } = object.metadata;
    this.#received.set(name, this.receivedOf(name) + 1);
    if (this.#items.has(name)) return answerOf(409, errors.plain(409, `${name} exists`).status);
    this.#items.set(name, object);
    return answerOf(201, object);
  }
}

const answerOf = (status: number, body: object): ReceivedAnswer => {
  const bytes = Buffer.from(JSON.stringify(body));
  const fields = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return { kind: 'whole', status, fields, body: bytes };
};

async function jsonOf(body: OutboundRequest['body']): Promise<ApiObject> {
  const pieces: Buffer[] = [];
  if (Buffer.isBuffer(body)) pieces.push(body);
  else for await (const piece of body()) pieces.push(piece);
  return parseJson(Buffer.concat(pieces)) as unknown as ApiObject;
}

interface Routing {
  readonly spec?: { readonly service?: { readonly name: string } };
  readonly subsets?: readonly { readonly addresses?: readonly { readonly ip: string }[] }[];
}

/** The addresses to which the API service has led at a revision, or later. */
function addressesSince(changes: readonly StoredChange[], revision: number): ReadonlySet<string> {
  const found = new Set<string>();
  const state = new Map<string, Routing>();
  const note = (): void => {
    const service = state.get(apiServiceName)?.spec?.service?.name ?? '';
    for (const { addresses = [] } of state.get(`default/${service}`)?.subsets ?? [])
      for (const { ip } of addresses) found.add(ip);
  };
  for (const { rev, key, object } of changes) {
    if (rev > revision) note();
    state.set(key, (object ?? {}) as Routing);
  }
  note();
  return found;
}

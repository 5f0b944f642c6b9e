import assert from 'node:assert/strict';
import { builtinResources, type Client, createClient, type Resource, type Transport } from '@orch/client';
import { ApiError, type ApiObject, type Env, type Names } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { persist } from '../../shared/persist.ts';
import {
  apiServiceName,
  type ExtensionServers,
  extensionGroup,
  extensionServices,
} from '../world/extension-servers.ts';

/** A server answers requests about its own objects without waiting for others. */
const MAX_LOCAL_MS = 500;
const never = new AbortController().signal;
const serviceNames = Object.keys(extensionServices);

const items: Resource = {
  group: extensionGroup,
  version: 'v1',
  resource: 'items',
  kind: 'Item',
  namespaced: true,
};

interface Creation {
  readonly name: string;
  readonly outcome: 'done' | 'notSent' | 'unknown';
}

interface ExtenderOptions {
  readonly transport: Transport;
  readonly servers: ExtensionServers;
}

/** A user who adds an extension API server to the cluster, replaces it, and creates objects in it. */
export class Extender {
  readonly #env: Env;
  readonly #client: Client;
  readonly #options: ExtenderOptions;
  readonly #creations: Creation[] = [];
  #begun = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(env: Env, names: Names, options: ExtenderOptions) {
    this.#env = env;
    this.#options = options;
    this.#client = this.#clientOf(options.transport, names);
  }

  /** Creates the services with their endpoints, and the API service. */
  async install(): Promise<void> {
    const { v1 } = builtinResources(this.#client.names).core;
    for (const [name, [first]] of Object.entries(extensionServices)) {
      const ports = [{ name: 'https', port: 443 }];
      await this.#create(v1.services, { metadata: { name }, spec: { clusterIP: 'None', ports } });
      await this.#create(v1.endpoints, { metadata: { name }, subsets: subsetsOf(first) });
    }
    const { apiservices } = builtinResources(this.#client.names).apiregistration.v1;
    const spec = {
      ...{ group: extensionGroup, version: 'v1', groupPriorityMinimum: 100, versionPriority: 15 },
      service: { namespace: 'default', name: serviceNames[0] },
      caBundle: Buffer.from('the authority of the extension').toString('base64'),
    };
    await this.#create(apiservices, { metadata: { name: apiServiceName }, spec });
  }

  /** Creates a few objects, and reads all. */
  async act(choice: number): Promise<void> {
    const random = seededRandom(choice);
    for (let i = 1 + random.int(3); i > 0; i--) await this.#createItem();
    await this.#readAll(this.#client).catch(unlessUnavailable);
  }

  /** Another server takes over: the API service names another service, or the service has another address. */
  replace(choice: number): Promise<unknown> {
    const random = seededRandom(choice);
    const name = serviceNames[random.int(serviceNames.length)] ?? 'blue';
    const address = extensionServices[name]?.[random.int(2)] ?? '';
    const { core, apiregistration } = builtinResources(this.#client.names);
    const isOtherService = random.int(2) === 0;
    const change = (): Promise<unknown> =>
      isOtherService
        ? this.#client
            .resource(apiregistration.v1.apiservices)
            .patch.merge(apiServiceName, { spec: { service: { name } } })
        : this.#client
            .resource(core.v1.endpoints, 'default')
            .patch.merge(name, { subsets: subsetsOf(address) });
    this.#turn = this.#turn.then(() => persist(this.#env.clock, change));
    return this.#turn;
  }

  /** Throws if a creation was lost or repeated. */
  checkCreations(): void {
    const { servers } = this.#options;
    for (const { name, outcome } of this.#creations) {
      const times = servers.receivedOf(name);
      assert.ok(times <= 1, `the creation of ${name} was sent ${times} times`);
      if (outcome === 'done')
        assert.equal(times, 1, `the creation of ${name} was acknowledged, and not sent`);
      if (outcome === 'notSent')
        assert.equal(times, 0, `the creation of ${name} was sent, and may be repeated`);
    }
  }

  /** Checks what each server says when nothing changes any more: about the extension, and about its own objects. */
  async check(transports: readonly Transport[], isAvailable: boolean): Promise<void> {
    this.checkCreations();
    const { names } = this.#client;
    for (const transport of transports) {
      const client = this.#clientOf(transport, names);
      await this.#checkCondition(client, isAvailable);
      if (isAvailable) await this.#readAll(client);
      else await assert.rejects(this.#readAll(client), isUnavailable);
      if (isAvailable) await this.#checkDiscovery(transport);
    }
  }

  /** Checks that each server answers about its own objects at once, whatever the extension API server does. */
  async checkLocal(transports: readonly Transport[]): Promise<void> {
    const { names } = this.#client;
    for (const transport of transports) {
      const namespaces = this.#clientOf(transport, names).resource(
        builtinResources(names).core.v1.namespaces,
      );
      const began = this.#env.clock.monotonic();
      await namespaces.get('default');
      const tookMs = this.#env.clock.monotonic() - began;
      assert.ok(tookMs < MAX_LOCAL_MS, `a namespace takes ${tookMs} ms while an extension server fails`);
    }
  }

  async #checkCondition(client: Client, isAvailable: boolean): Promise<void> {
    const { apiservices } = builtinResources(client.names).apiregistration.v1;
    const { status } = await client.resource(apiservices).get(apiServiceName);
    const { status: found, reason } = status?.conditions?.[0] ?? {};
    const expected = isAvailable ? 'True Passed' : 'False FailedDiscoveryCheck';
    assert.equal(`${found} ${reason}`, expected, 'the condition of the API service');
  }

  async #checkDiscovery(transport: Transport): Promise<void> {
    const headers = { accept: 'application/json' };
    const { status, body } = await transport.send({ method: 'GET', target: '/apis', headers }, never);
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    assert.equal(status, 200);
    assert.match(Buffer.concat(pieces).toString(), new RegExp(`"name":"${extensionGroup}"`), 'discovery');
  }

  /** Every object whose creation was acknowledged is in a list that begins afterwards. */
  async #readAll(client: Client): Promise<void> {
    const done = this.#creations.filter(({ outcome }) => outcome === 'done');
    const list = await client.resource<ApiObject>(items, 'default').list();
    const found = new Set(list.items.map(({ metadata }) => metadata.name));
    for (const { name } of done) assert.ok(found.has(name), `${name} was created and is not in a list`);
  }

  async #createItem(): Promise<void> {
    const name = `item-${this.#begun++}`;
    const created = this.#client.resource<ApiObject>(items, 'default').create({ metadata: { name } });
    const outcome = await created.then(() => 'done' as const, outcomeOf);
    this.#creations.push({ name, outcome });
  }

  #clientOf(transport: Transport, names: Names): Client {
    return createClient({ transport, names, env: this.#env, userAgent: 'extender/1' });
  }

  async #create(resource: Resource, object: ApiObject): Promise<void> {
    const client = this.#client.resource<ApiObject>(resource, resource.namespaced ? 'default' : undefined);
    await persist(this.#env.clock, () => client.create(object).catch(unlessPresent));
  }
}

const subsetsOf = (ip: string): readonly object[] => [
  { addresses: [{ ip }], ports: [{ name: 'https', port: 443 }] },
];

const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.status.code === 503;

const unlessUnavailable = (error: unknown): void => {
  if (error instanceof assert.AssertionError) throw error;
};

const unlessPresent = (error: unknown): undefined => {
  if (error instanceof ApiError && error.status.code === 409) return undefined;
  throw error;
};

/** A server that did not send a request to the extension says when to repeat it. */
function outcomeOf(error: unknown): Creation['outcome'] {
  if (!isUnavailable(error) || !(error instanceof ApiError)) return 'unknown';
  return (error.status.details?.retryAfterSeconds ?? 0) > 0 ? 'notSent' : 'unknown';
}

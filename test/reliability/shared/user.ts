import { type Client, createClient, type Resource, type ResourceClient, type Transport } from '@orch/client';
import { ApiError, type ApiObject, type Env, type OwnerReference } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { base64, requests as samples } from '@orch/pki/x509/testing';
import { persist } from './persist.ts';

type Policy = 'Background' | 'Foreground' | 'Orphan';

const configMaps: Resource = {
  group: '',
  version: 'v1',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};
const secrets: Resource = { ...configMaps, resource: 'secrets', kind: 'Secret' };
const namespaces: Resource = { ...configMaps, resource: 'namespaces', kind: 'Namespace', namespaced: false };

/** The objects that must exist at the end, and those that must not, by `resource/namespace/name`. */
export interface Expectations {
  /** With the uid that it was created with. */
  readonly alive: Map<string, string>;
  readonly gone: Set<string>;
  readonly namespaces: Set<string>;
  readonly requests: Set<string>;
  readonly tokens: Set<string>;
}

/** Users of the cluster during faults. They retry until an operation is acknowledged. */
export class User {
  readonly expectations: Expectations = {
    alive: new Map(),
    gone: new Set(),
    namespaces: new Set(['default']),
    requests: new Set(),
    tokens: new Set(),
  };
  readonly #env: Env;
  readonly #client: Client;
  #next = 0;

  /** `transport`: to any server that responds. */
  constructor(env: Env, names: Client['names'], transport: Transport) {
    this.#env = env;
    this.#client = createClient({ transport, names, env, userAgent: 'user/1' });
  }

  /** One random action of a user. */
  act(): Promise<void> {
    const { random } = this.#env;
    switch (random.int(6)) {
      case 0:
        return this.#useNamespace();
      case 1:
        return this.#requestCertificate();
      case 2:
        return this.#requestToken();
      default:
        return this.#useOwner((['Background', 'Foreground', 'Orphan'] as const)[random.int(3)] ?? 'Orphan');
    }
  }

  /** An owner with dependents, some of which have another owner too; usually it is deleted again. */
  async #useOwner(policy: Policy): Promise<void> {
    const { random } = this.#env;
    const maps = this.#client.resource(configMaps, 'default');
    const id = this.#next++;
    const owner = await this.#create(maps, { metadata: { name: `owner-${id}` } });
    const keeper = await this.#create(maps, { metadata: { name: `keeper-${id}` } });
    this.#expectAlive(keeper);
    const survivors: ApiObject[] = [];
    const others: ApiObject[] = [];
    for (let i = random.int(4); i >= 0; i--) {
      const isKept = random.int(3) === 0;
      const ownerReferences = [ownedBy(owner), ...(isKept ? [ownedBy(keeper)] : [])];
      const dependent = await this.#create(maps, { metadata: { name: `part-${id}-${i}`, ownerReferences } });
      (isKept ? survivors : others).push(dependent);
      // The dependents of a dependent are deleted, or remain, with it.
      const below = await this.#create(maps, {
        metadata: { name: `part-${id}-${i}-below`, ownerReferences: [ownedBy(dependent)] },
      });
      (isKept ? survivors : others).push(below);
    }
    if (random.int(5) === 0) {
      for (const object of [owner, ...survivors, ...others]) this.#expectAlive(object);
      return;
    }
    await sleep(this.#env.clock, random.int(10_000), never);
    await this.#delete(maps, owner.metadata.name ?? '', policy);
    this.#expectGone(owner);
    for (const object of survivors) this.#expectAlive(object);
    for (const object of others) {
      if (policy === 'Orphan') this.#expectAlive(object);
      else this.#expectGone(object);
    }
  }

  /** A namespace with content; every other one is deleted again. */
  async #useNamespace(): Promise<void> {
    const name = `space-${this.#next++}`;
    const all = this.#client.resource(namespaces);
    await this.#create(all, { metadata: { name } });
    const maps = this.#client.resource(configMaps, name);
    const content = await this.#create(maps, { metadata: { name: 'content' } });
    if (this.#env.random.int(2) === 0) {
      this.#expectAlive(content);
      this.expectations.namespaces.add(name);
      return;
    }
    await sleep(this.#env.clock, this.#env.random.int(10_000), never);
    await this.#delete(all, name, 'Background');
    this.#expectGone(content);
    this.expectations.gone.add(`namespaces//${name}`);
  }

  async #requestCertificate(): Promise<void> {
    const { names } = this.#client;
    const name = `request-${this.#next++}`;
    const requests = this.#client.resource({
      group: names.group('certificates'),
      version: 'v1',
      resource: 'certificatesigningrequests',
      kind: 'CertificateSigningRequest',
      namespaced: false,
    });
    await this.#create(requests, {
      metadata: { name },
      spec: {
        request: base64(samples.ellipticCurve),
        signerName: names.signers.apiserverClient,
        usages: ['client auth'],
      },
    });
    const approved = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'by a person' }];
    await persist(this.#env.clock, async () => {
      const current = await requests.get(name);
      const { conditions = [] } = (current['status'] ?? {}) as { conditions?: readonly unknown[] };
      if (conditions.length > 0) return;
      await requests.subresource('approval').update({ ...current, status: { conditions: approved } });
    });
    this.expectations.requests.add(name);
  }

  async #requestToken(): Promise<void> {
    const { names } = this.#client;
    const name = `token-${this.#next++}`;
    const annotations = { [names.annotations.serviceAccountName]: 'default' };
    // A Secret of a missing account is deleted, and users wait for it.
    const accounts = this.#client.resource({
      ...configMaps,
      resource: 'serviceaccounts',
      kind: 'ServiceAccount',
    });
    await persist(this.#env.clock, () => accounts.in('default').get('default'));
    await this.#create(this.#client.resource(secrets, 'default'), {
      metadata: { name, annotations },
      type: names.secretTypes.serviceAccountToken,
    });
    this.expectations.tokens.add(name);
  }

  /** Creates an object; an existing one was created by an attempt whose response was lost. */
  async #create(client: ResourceClient, object: ApiObject): Promise<ApiObject> {
    return persist(this.#env.clock, async () => {
      try {
        return await client.create(object);
      } catch (error) {
        if (error instanceof ApiError && error.status.reason === 'AlreadyExists')
          return await client.get(object.metadata.name ?? '');
        throw error;
      }
    });
  }

  /** A missing object needs no deletion: an earlier attempt deleted it. */
  async #delete(client: ResourceClient, name: string, propagationPolicy: Policy): Promise<void> {
    await persist(this.#env.clock, async () => {
      try {
        await client.delete(name, { propagationPolicy });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status.code !== 404) throw error;
      }
    });
  }

  /** Retries until it succeeds. */
  #expectAlive({ metadata }: ApiObject): void {
    this.expectations.alive.set(keyOf(metadata), metadata.uid ?? '');
  }

  #expectGone({ metadata }: ApiObject): void {
    this.expectations.gone.add(keyOf(metadata));
  }
}

const never = new AbortController().signal;

const keyOf = ({ namespace = '', name = '' }: ApiObject['metadata']): string =>
  `configmaps/${namespace}/${name}`;

const ownedBy = ({ metadata }: ApiObject): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  blockOwnerDeletion: true,
});

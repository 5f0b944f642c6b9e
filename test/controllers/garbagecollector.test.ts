import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namings, type OwnerReference } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { findKubectls, run } from '@orch/testkit';
import { type ApiItem, create, expectCode, item, list, podObject } from '../api/fixture.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

const ownedBy = (owner: ApiItem, rest: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: owner.apiVersion ?? '',
  kind: owner.kind ?? '',
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  ...rest,
});
const controlledBy = (owner: ApiItem): OwnerReference =>
  ownedBy(owner, { controller: true, blockOwnerDeletion: true });

const configMap = (name: string, owners: readonly OwnerReference[] = [], metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(owners.length === 0 ? {} : { ownerReferences: owners }), ...metadata },
});

const template = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'c', image: 'registry.example/app:1' }] },
};
const workload = (kind: string, name: string, owners: readonly OwnerReference[]): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, ...(owners.length === 0 ? {} : { ownerReferences: owners }) },
  spec: { replicas: 2, selector: { matchLabels: { app: 'a' } }, template },
});

interface Metadata {
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
}

/** A namespace of a test, without admission in its way. */
class Place {
  readonly #cluster: Controlled;
  readonly namespace: string;

  private constructor(cluster: Controlled, namespace: string) {
    this.#cluster = cluster;
    this.namespace = namespace;
  }

  static async make(cluster: Controlled, namespace: string): Promise<Place> {
    await create(cluster.client, '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    return new Place(cluster, namespace);
  }

  path(resource: string, name = ''): string {
    const group = resource === 'deployments' || resource === 'replicasets' ? '/apis/apps' : '/api';
    return `${group}/v1/namespaces/${this.namespace}/${resource}${name === '' ? '' : `/${name}`}`;
  }

  create(resource: string, object: object): Promise<ApiItem> {
    return create(this.#cluster.client, this.path(resource), object);
  }

  async delete(resource: string, name: string, propagationPolicy = 'Background'): Promise<void> {
    const { status, text } = await this.#cluster.client.delete(this.path(resource, name), {
      body: { propagationPolicy },
    });
    assert.ok(status === 200 || status === 202, text);
  }

  /** Metadata of an object; undefined when there is none. */
  async meta(resource: string, name: string): Promise<Metadata | undefined> {
    const answer = await this.#cluster.client.get(this.path(resource, name));
    return answer.status === 404 ? undefined : (item(expectCode(200, answer)).metadata as Metadata);
  }

  async gone(resource: string, name: string): Promise<void> {
    await eventually(
      () => this.meta(resource, name),
      (meta) => meta === undefined,
    );
  }

  async release(resource: string, name: string): Promise<void> {
    const body = { metadata: { finalizers: null } };
    const contentType = 'application/merge-patch+json';
    expectCode(
      200,
      await this.#cluster.client.send('PATCH', this.path(resource, name), { body, contentType }),
    );
  }

  /** Deployment `d`, its ReplicaSet `r`, and its Pods `p1` and `p2`, one of which has a finalizer on request. */
  async chain(held: readonly string[] = []): Promise<void> {
    const deployment = await this.create('deployments', workload('Deployment', 'd', []));
    const set = await this.create('replicasets', workload('ReplicaSet', 'r', [controlledBy(deployment)]));
    for (const name of ['p1', 'p2']) {
      const finalizers = name === 'p1' && held.length > 0 ? { finalizers: held } : {};
      await this.create('pods', podObject(name, { ownerReferences: [controlledBy(set)], ...finalizers }));
    }
  }
}

for (const naming of namings) {
  describe(`garbage collector (${naming})`, () => {
    let cluster: Controlled;
    let place: Place;
    let number = 0;
    const newPlace = async (): Promise<Place> => Place.make(cluster, `place-${++number}`);

    before(async () => {
      cluster = await controlled({ naming });
      await cluster.run('garbagecollector');
      place = await newPlace();
    });
    after(() => cluster?.[Symbol.asyncDispose]());

    it('dependents of a deleted owner are deleted, down to the last of a chain', async () => {
      const here = await newPlace();
      await here.chain();
      await here.delete('deployments', 'd');
      assert.equal(await here.meta('deployments', 'd'), undefined);
      for (const [resource, name] of [
        ['pods', 'p1'],
        ['pods', 'p2'],
        ['replicasets', 'r'],
      ] as const) {
        await here.gone(resource, name);
      }
    });

    it('foreground deletion deletes dependents before their owner and waits for their finalizers', async () => {
      const here = await newPlace();
      await here.chain(['example.com/held']);
      await here.delete('deployments', 'd', 'Foreground');
      await here.gone('pods', 'p2');
      await eventually(
        () => here.meta('pods', 'p1'),
        (meta) => meta?.deletionTimestamp !== undefined,
      );
      assert.deepEqual((await here.meta('deployments', 'd'))?.finalizers, ['foregroundDeletion']);
      assert.deepEqual((await here.meta('replicasets', 'r'))?.finalizers, ['foregroundDeletion']);
      await here.release('pods', 'p1');
      await here.gone('replicasets', 'r');
      await here.gone('deployments', 'd');
    });

    it('orphan deletion removes the owner references of dependents and keeps them', async () => {
      const here = await newPlace();
      await here.chain();
      await here.delete('deployments', 'd', 'Orphan');
      await here.gone('deployments', 'd');
      assert.equal((await here.meta('replicasets', 'r'))?.ownerReferences, undefined);
      assert.equal((await here.meta('pods', 'p1'))?.ownerReferences?.[0]?.name, 'r');
    });

    it('an object whose only owner never existed is deleted, and one with another owner loses the invalid reference', async () => {
      const owner = await place.create('configmaps', configMap('owner'));
      const never = { ...ownedBy(owner), name: 'never', uid: '00000000-0000-4000-8000-000000000000' };
      await place.create('configmaps', configMap('lost', [never]));
      await place.create('configmaps', configMap('kept', [ownedBy(owner), never]));
      await place.gone('configmaps', 'lost');
      await eventually(
        () => place.meta('configmaps', 'kept'),
        (meta) => meta?.ownerReferences?.length === 1,
      );
      assert.equal((await place.meta('configmaps', 'kept'))?.ownerReferences?.[0]?.uid, owner.metadata.uid);
    });

    it('dependents of a deleted owner are deleted although a new object has the same name', async () => {
      const first = await place.create('configmaps', configMap('again'));
      await place.create(
        'configmaps',
        configMap('of-again', [ownedBy(first)], { finalizers: ['example.com/held'] }),
      );
      await place.delete('configmaps', 'again');
      await place.create('configmaps', configMap('again'));
      await eventually(
        () => place.meta('configmaps', 'of-again'),
        (meta) => meta?.deletionTimestamp !== undefined,
      );
      await place.release('configmaps', 'of-again');
      await place.gone('configmaps', 'of-again');
      assert.notEqual(await place.meta('configmaps', 'again'), undefined);
    });

    it('an owner reference to an object in another namespace is invalid and recorded as an event', async () => {
      const [here, there] = [await newPlace(), await newPlace()];
      const owner = await here.create('configmaps', configMap('owner'));
      await here.create('configmaps', configMap('mine', [ownedBy(owner)]));
      await there.create('configmaps', configMap('theirs', [ownedBy(owner)]));
      await there.gone('configmaps', 'theirs');
      const events = await eventually(
        async () => list(await cluster.client.get(there.path('events'))).items,
        (items) => items.length > 0,
      );
      const [event] = events as unknown as readonly Record<string, unknown>[];
      assert.deepEqual([event?.['reason'], event?.['type']], ['OwnerRefInvalidNamespace', 'Warning']);
      assert.notEqual(await here.meta('configmaps', 'mine'), undefined);
      assert.notEqual(await here.meta('configmaps', 'owner'), undefined);
    });

    it('an owner reference with the name of an object but another uid is invalid and recorded as an event', async () => {
      const here = await newPlace();
      const namesake = await here.create('configmaps', configMap('namesake'));
      await here.create(
        'configmaps',
        configMap('astray', [{ ...ownedBy(namesake), uid: 'of-another-object' }]),
      );
      await here.create('configmaps', configMap('own', [ownedBy(namesake)]));
      await here.gone('configmaps', 'astray');
      const events = await eventually(
        async () => list(await cluster.client.get(here.path('events'))).items,
        (items) => items.length > 0,
      );
      const recorded = (events as unknown as readonly Record<string, unknown>[]).map(
        ({ reason, type, involvedObject }) => [reason, type, (involvedObject as { name: string }).name],
      );
      assert.deepEqual(recorded, [['OwnerRefInvalidUID', 'Warning', 'astray']]);
      assert.notEqual(await here.meta('configmaps', 'namesake'), undefined);
      assert.notEqual(await here.meta('configmaps', 'own'), undefined);
    });

    it('a cluster-scoped object with a namespaced owner is kept, and recorded in an event', async () => {
      const owner = await place.create('configmaps', configMap('of-cluster'));
      const nodes = '/api/v1/nodes';
      const node = {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n', ownerReferences: [ownedBy(owner)] },
      };
      await create(cluster.client, nodes, node);
      await place.delete('configmaps', 'of-cluster');
      const events = '/api/v1/namespaces/default/events?fieldSelector=reason%3DOwnerRefInvalidNamespace';
      await eventually(
        async () => list(await cluster.client.get(events)).items,
        (items) => items.length > 0,
      );
      assert.equal(
        item(expectCode(200, await cluster.client.get(`${nodes}/n`))).metadata.deletionTimestamp,
        undefined,
      );
    });

    it('an object whose owner has an unserved kind is kept', async () => {
      const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'u' };
      await place.create('configmaps', configMap('of-widget', [owner]));
      const marker = await place.create('configmaps', configMap('marker'));
      await place.create('configmaps', configMap('after', [{ ...ownedBy(marker), uid: 'other' }]));
      // Objects are processed in order: a later one has been collected, so the first has been processed.
      await place.gone('configmaps', 'after');
      assert.equal((await place.meta('configmaps', 'of-widget'))?.deletionTimestamp, undefined);
    });

    it('objects that own each other are deleted by foreground deletion', async () => {
      const here = await newPlace();
      const a = await here.create('configmaps', configMap('a'));
      const b = await here.create('configmaps', configMap('b', [ownedBy(a, { blockOwnerDeletion: true })]));
      const body = { metadata: { ownerReferences: [ownedBy(b, { blockOwnerDeletion: true })] } };
      const contentType = 'application/merge-patch+json';
      expectCode(
        200,
        await cluster.client.send('PATCH', here.path('configmaps', 'a'), { body, contentType }),
      );
      await here.delete('configmaps', 'a', 'Foreground');
      await here.gone('configmaps', 'a');
      await here.gone('configmaps', 'b');
    });
  });
}

describe('garbage collector under kubectl', async () => {
  const kubectl = (await findKubectls(`${import.meta.dirname}/../..`)).at(-1);
  let cluster: Controlled;
  before(async () => {
    cluster = await controlled({ naming: 'kubernetes' });
    await cluster.run('garbagecollector');
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const [cascade, left] of [
    ['background', []],
    ['foreground', []],
    ['orphan', ['replicaset.apps/r', 'pod/p1', 'pod/p2']],
  ] as const) {
    it(`kubectl delete deployment --cascade=${cascade} leaves ${left.length} objects of its chain`, async (t) => {
      if (kubectl === undefined) return t.skip('no kubectl on this machine');
      const here = await Place.make(cluster, `by-${cascade}`);
      await here.chain();
      const args = ['--kubeconfig', cluster.server.adminConfig, '-n', here.namespace];
      const deleted = await run(kubectl.path, [...args, 'delete', 'deployment', 'd', `--cascade=${cascade}`]);
      assert.equal(deleted.code, 0, deleted.stderr);
      const shown = await eventually(
        () => run(kubectl.path, [...args, 'get', 'deployments,replicasets,pods', '-o', 'name']),
        ({ stdout }) => stdout.trim().split('\n').filter(Boolean).length === left.length,
      );
      assert.deepEqual(shown.stdout.trim().split('\n').filter(Boolean), left);
    });
  }
});

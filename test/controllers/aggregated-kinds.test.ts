import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { podAddressOfMachine } from '@orch/testkit';
import { type ApiItem, create, expectCode, item, list } from '../api/fixture.ts';
import { BackingServer, WIDGET_GROUP, WIDGETS } from './backing-server.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

const address = podAddressOfMachine();
const ifAddress = address === undefined ? { skip: 'this machine has no address besides loopback' } : {};

const fast = {
  namespace: { resyncMs: 300_000, finalizeDelayMs: 100 },
  garbageCollector: { isEnabled: true, discoveryIntervalMs: 1_000 },
};
const controllers = ['namespace', 'garbagecollector', 'resourcequota'];
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const maps = (namespace: string, name = ''): string => path(namespace, '/api/v1', 'configmaps', name);
const widgets = (namespace: string, name = ''): string =>
  path(namespace, `/apis/${WIDGET_GROUP}/v1`, 'widgets', name);
const quotas = (namespace: string, name = ''): string => path(namespace, '/api/v1', 'resourcequotas', name);

function path(namespace: string, base: string, resource: string, name: string): string {
  return `${base}/namespaces/${namespace}/${resource}${name === '' ? '' : `/${name}`}`;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

describe('kinds of an extension API server', { timeout: 240_000, ...ifAddress }, () => {
  let cluster: Controlled;
  let backing: BackingServer;

  before(async () => {
    cluster = await controlled();
    backing = await BackingServer.start(cluster.server, address ?? '');
    await runControllers();
  });
  after(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await backing?.[Symbol.asyncDispose]();
  });

  async function runControllers(): Promise<void> {
    for (const name of controllers) await cluster.run(name, fast);
  }

  const statusOf = async (at: string): Promise<number> => (await cluster.client.get(at)).status;
  const becomes = (at: string, code: number): Promise<number> =>
    eventually(
      () => statusOf(at),
      (status) => status === code,
      60_000,
    );
  const makeNamespace = (name: string): Promise<ApiItem> =>
    create(cluster.client, '/api/v1/namespaces', { metadata: { name } });
  const makeMap = (namespace: string, name: string, metadata: object = {}): Promise<ApiItem> =>
    create(cluster.client, maps(namespace), { metadata: { name, ...metadata } });
  const makeWidget = (namespace: string, name: string, metadata: object = {}): Promise<ApiItem> =>
    create(cluster.client, widgets(namespace), {
      ...{ apiVersion: `${WIDGET_GROUP}/v1`, kind: 'Widget', metadata: { name, ...metadata } },
    });
  const ownedBy = (apiVersion: string, kind: string, { metadata: { name, uid } }: ApiItem): object => ({
    ownerReferences: [{ apiVersion, kind, name, uid, blockOwnerDeletion: true }],
  });
  const remove = async (at: string, propagationPolicy = 'Background'): Promise<void> => {
    const { status, text } = await cluster.client.delete(at, { body: { propagationPolicy } });
    assert.ok(status === 200 || status === 202, text);
  };
  const condition = (namespace: string, type: string, status: string): Promise<Condition | undefined> =>
    eventually(
      async () => {
        const found = item(expectCode(200, await cluster.client.get(`/api/v1/namespaces/${namespace}`)));
        const all = (found.status['conditions'] ?? []) as readonly Condition[];
        return all.find((one) => one.type === type && one.status === status);
      },
      (found) => found !== undefined,
      60_000,
    );
  const used = (namespace: string, wanted: Readonly<Record<string, string>>): Promise<unknown> =>
    eventually(
      async () =>
        item(expectCode(200, await cluster.client.get(quotas(namespace, 'q')))).status['used'] as
          | Readonly<Record<string, string>>
          | undefined,
      (seen) => Object.entries(wanted).every(([bound, amount]) => seen?.[bound] === amount),
      60_000,
    );

  /** An owner that is deleted with each policy, and what it owns, among the kinds of the API server itself. */
  async function collects(namespace: string): Promise<void> {
    for (const policy of ['Background', 'Foreground', 'Orphan']) {
      const name = policy.toLowerCase();
      const owner = await makeMap(namespace, name);
      await makeMap(namespace, `${name}-dependent`, ownedBy('v1', 'ConfigMap', owner));
      await remove(maps(namespace, name), policy);
      await becomes(maps(namespace, name), 404);
      await becomes(maps(namespace, `${name}-dependent`), policy === 'Orphan' ? 200 : 404);
      if (policy !== 'Orphan') continue;
      const { ownerReferences } = item(await cluster.client.get(maps(namespace, `${name}-dependent`)))
        .metadata as { readonly ownerReferences?: unknown };
      assert.equal(ownerReferences, undefined);
    }
  }

  it('kinds of an extension API server are deleted with their namespace', async () => {
    await makeNamespace('full');
    await makeWidget('full', 'a');
    await makeMap('full', 'a');
    await remove('/api/v1/namespaces/full');
    await becomes('/api/v1/namespaces/full', 404);
    assert.deepEqual(list(expectCode(200, await backing.client.get(widgets('full')))).items, []);
  });

  it('kinds of an extension API server are owners and dependents of other kinds for garbage collection', async () => {
    await makeNamespace('owned');
    const map = await makeMap('owned', 'owner');
    await makeWidget('owned', 'dependent', ownedBy('v1', 'ConfigMap', map));
    await remove(maps('owned', 'owner'));
    await becomes(widgets('owned', 'dependent'), 404);
    const widget = await makeWidget('owned', 'owner');
    await makeMap('owned', 'dependent', ownedBy(`${WIDGET_GROUP}/v1`, 'Widget', widget));
    await remove(widgets('owned', 'owner'), 'Foreground');
    await becomes(maps('owned', 'dependent'), 404);
    await becomes(widgets('owned', 'owner'), 404);
  });

  it('kinds of an extension API server are counted by quotas', async () => {
    await makeNamespace('counted');
    const hard = { [`count/${WIDGETS}`]: '5', 'count/configmaps': '5' };
    await create(cluster.client, quotas('counted'), { metadata: { name: 'q' }, spec: { hard } });
    await makeWidget('counted', 'a');
    await used('counted', { [`count/${WIDGETS}`]: '1', 'count/configmaps': '0' });
  });

  describe('while their server is down', () => {
    before(async () => {
      await makeNamespace('blocked');
      await makeWidget('blocked', 'left');
      await makeMap('blocked', 'a');
      await backing.kill();
      await becomes(`/apis/${WIDGET_GROUP}/v1`, 503);
    });

    it('a namespace loses its other content, and its conditions name the group that blocks its deletion', async () => {
      await remove('/api/v1/namespaces/blocked');
      const found = await condition('blocked', 'NamespaceDeletionDiscoveryFailure', 'True');
      assert.match(found?.message ?? '', /1 failing: example\.com\/v1: /);
      await condition('blocked', 'NamespaceDeletionContentFailure', 'False');
      assert.deepEqual(list(expectCode(200, await cluster.client.get(maps('blocked')))).items, []);
      assert.equal(await statusOf('/api/v1/namespaces/blocked'), 200);
    });

    it('other kinds are collected, orphaned and counted, also by controllers that start meanwhile', async () => {
      await makeNamespace('first');
      await collects('first');
      await makeMap('counted', 'a');
      await used('counted', { [`count/${WIDGETS}`]: '1', 'count/configmaps': '1' });
      await cluster.stop();
      await runControllers();
      await makeNamespace('second');
      await collects('second');
      await makeMap('counted', 'b');
      await used('counted', { [`count/${WIDGETS}`]: '1', 'count/configmaps': '2' });
    });
  });

  it('kinds of an extension API server are followed again when their server is back', async () => {
    await backing.restart();
    await becomes('/api/v1/namespaces/blocked', 404);
    assert.deepEqual(list(expectCode(200, await backing.client.get(widgets('blocked')))).items, []);
    await makeWidget('counted', 'b');
    await used('counted', { [`count/${WIDGETS}`]: '2' });
    const map = await makeMap('owned', 'again');
    await makeWidget('owned', 'again', ownedBy('v1', 'ConfigMap', map));
    await remove(maps('owned', 'again'));
    await becomes(widgets('owned', 'again'), 404);
  });

  it('aggregated kinds block no namespace after their API service is deleted, also when their server is down', async () => {
    await backing.kill();
    await becomes(`/apis/${WIDGET_GROUP}/v1`, 503);
    await makeNamespace('last');
    await remove('/api/v1/namespaces/last');
    await condition('last', 'NamespaceDeletionDiscoveryFailure', 'True');
    await remove(`${apiServices}/v1.${WIDGET_GROUP}`);
    await becomes('/api/v1/namespaces/last', 404);
  });
});

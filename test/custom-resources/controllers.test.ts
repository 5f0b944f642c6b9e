import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import type { ApiResponse } from '@orch/testkit';
import { type Controlled, controlled } from '../controllers/roles-fixture.ts';
import { type DefinitionBody, establish } from './widgets.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of kinds that the test knows.
type Json = any;

const GROUP = 'follow.example.com';
const apiVersion = `${GROUP}/v1`;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const merge = { contentType: 'application/merge-patch+json' };

const definition = (kind: string, scope: 'Cluster' | 'Namespaced' = 'Namespaced'): DefinitionBody => {
  const singular = kind.toLowerCase();
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: namesFor('kubernetes').apiVersion('apiextensions', 'v1'),
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { plural: `${singular}s`, singular, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
};

const ownedBy = ({ apiVersion: version, kind, metadata }: Json, rest: object = {}): object => ({
  ownerReferences: [{ apiVersion: version, kind, name: metadata.name, uid: metadata.uid, ...rest }],
});

const blocking = { blockOwnerDeletion: true };

const ok = (answer: ApiResponse, ...codes: readonly number[]): Json => {
  assert.ok((codes.length === 0 ? [200, 201, 202] : codes).includes(answer.status), answer.text);
  return answer.json;
};

describe('controllers follow custom resources', { timeout: 120_000 }, () => {
  let world: Controlled;
  before(async () => {
    world = await controlled();
    for (const name of ['garbagecollector', 'namespace', 'resourcequota']) await world.run(name);
    await establish(world.client, definition('Boat'));
    await establish(world.client, definition('Harbor', 'Cluster'));
  });
  after(() => world[Symbol.asyncDispose]());

  const namespace = async (name: string): Promise<void> => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    ok(await world.client.post('/api/v1/namespaces', body));
  };
  const path = (of: string, resource: string, name = ''): string =>
    `${resource === 'configmaps' || resource === 'resourcequotas' ? '/api/v1' : `/apis/${apiVersion}`}/namespaces/${of}/${resource}${name === '' ? '' : `/${name}`}`;
  const boat = async (of: string, name: string, metadata: object = {}): Promise<Json> =>
    ok(
      await world.client.post(path(of, 'boats'), {
        apiVersion,
        kind: 'Boat',
        metadata: { name, ...metadata },
      }),
    );
  const configMap = async (of: string, name: string, metadata: object = {}): Promise<Json> =>
    ok(
      await world.client.post(path(of, 'configmaps'), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, ...metadata },
      }),
    );
  const get = async (at: string): Promise<Json> => {
    const answer = await world.client.get(at);
    return answer.status === 404 ? undefined : ok(answer);
  };
  const gone = (at: string): Promise<Json> =>
    eventually(
      () => get(at),
      (seen) => seen === undefined,
    );
  const remove = async (at: string, propagationPolicy = 'Background'): Promise<void> =>
    void ok(await world.client.delete(at, { body: { propagationPolicy } }));
  const release = async (at: string): Promise<void> =>
    void ok(await world.client.send('PATCH', at, { body: { metadata: { finalizers: null } }, ...merge }));

  it('dependents of a custom object are deleted with it, whether built-in or custom', async () => {
    await namespace('owner');
    const owner = await boat('owner', 'a');
    await configMap('owner', 'built-in', ownedBy(owner));
    await boat('owner', 'custom', ownedBy(owner));
    await configMap('owner', 'unowned');
    await remove(path('owner', 'boats', 'a'));
    await gone(path('owner', 'configmaps', 'built-in'));
    await gone(path('owner', 'boats', 'custom'));
    assert.ok((await get(path('owner', 'configmaps', 'unowned'))) !== undefined);
  });

  it('a custom dependent is deleted with a built-in owner, and with a cluster-scoped custom owner', async () => {
    await namespace('dependent');
    const owner = await configMap('dependent', 'a');
    await boat('dependent', 'of-map', ownedBy(owner));
    const harbors = `/apis/${apiVersion}/harbors`;
    const harbor = ok(
      await world.client.post(harbors, { apiVersion, kind: 'Harbor', metadata: { name: 'h' } }),
    );
    await boat('dependent', 'of-harbor', ownedBy(harbor));
    await remove(path('dependent', 'configmaps', 'a'));
    await gone(path('dependent', 'boats', 'of-map'));
    assert.ok((await get(path('dependent', 'boats', 'of-harbor'))) !== undefined);
    await remove(`${harbors}/h`);
    await gone(path('dependent', 'boats', 'of-harbor'));
  });

  it('foreground deletion of a custom object waits for its dependents', async () => {
    await namespace('foreground');
    const owner = await boat('foreground', 'a');
    await configMap('foreground', 'held', { ...ownedBy(owner, blocking), finalizers: ['example.com/held'] });
    await remove(path('foreground', 'boats', 'a'), 'Foreground');
    await eventually(
      () => get(path('foreground', 'configmaps', 'held')),
      (seen) => seen.metadata.deletionTimestamp !== undefined,
    );
    assert.deepEqual((await get(path('foreground', 'boats', 'a'))).metadata.finalizers, [
      'foregroundDeletion',
    ]);
    await release(path('foreground', 'configmaps', 'held'));
    await gone(path('foreground', 'boats', 'a'));
  });

  it('orphan deletion of a custom object keeps its dependents and removes their references', async () => {
    await namespace('orphans');
    const owner = await boat('orphans', 'a');
    await boat('orphans', 'b', ownedBy(owner));
    await configMap('orphans', 'c', ownedBy(owner));
    await remove(path('orphans', 'boats', 'a'), 'Orphan');
    await gone(path('orphans', 'boats', 'a'));
    for (const at of [path('orphans', 'boats', 'b'), path('orphans', 'configmaps', 'c')])
      assert.equal((await get(at)).metadata.ownerReferences, undefined);
  });

  it('objects of a kind that was defined while the garbage collector runs are collected', async () => {
    await establish(world.client, definition('Raft'));
    await namespace('late');
    const rafts = path('late', 'rafts');
    const owner = ok(await world.client.post(rafts, { apiVersion, kind: 'Raft', metadata: { name: 'a' } }));
    await configMap('late', 'c', ownedBy(owner));
    await remove(`${rafts}/a`);
    await gone(path('late', 'configmaps', 'c'));
  });

  it('a namespace is deleted with its custom objects, after their finalizers are removed', async () => {
    await namespace('ended');
    await boat('ended', 'a');
    await boat('ended', 'held', { finalizers: ['example.com/held'] });
    await remove('/api/v1/namespaces/ended');
    const terminating = await eventually(
      () => get('/api/v1/namespaces/ended'),
      ({ status }) =>
        (status.conditions ?? []).some(
          ({ type, status: is }: Json) => type === 'NamespaceFinalizersRemaining' && is === 'True',
        ),
    );
    const remaining = terminating.status.conditions.find(
      ({ type }: Json) => type === 'NamespaceContentRemaining',
    );
    assert.match(remaining.message, /boats\.follow\.example\.com has 1 resource instances/);
    const refused = await world.client.post(path('ended', 'boats'), {
      apiVersion,
      kind: 'Boat',
      metadata: { name: 'b' },
    });
    assert.equal(refused.status, 403, refused.text);
    await release(path('ended', 'boats', 'held'));
    await gone('/api/v1/namespaces/ended');
    assert.deepEqual((await get(path('ended', 'boats'))).items, []);
  });

  it('a definition and a namespace with its objects are deleted at the same time', async () => {
    await establish(world.client, definition('Canoe'));
    await namespace('both');
    const canoes = path('both', 'canoes');
    for (let i = 0; i < 20; i++)
      ok(
        await world.client.post(canoes, {
          apiVersion,
          kind: 'Canoe',
          metadata: { name: `c${i}`, ...(i === 7 ? { finalizers: ['example.com/held'] } : {}) },
        }),
      );
    await Promise.all([remove('/api/v1/namespaces/both'), remove(`${DEFINITIONS}/canoes.${GROUP}`)]);
    const held = await eventually(
      () => get(canoes),
      ({ items }) => items.length === 1,
    );
    assert.equal(held.items[0].metadata.name, 'c7');
    await release(`${canoes}/c7`);
    await gone(`${DEFINITIONS}/canoes.${GROUP}`);
    await gone('/api/v1/namespaces/both');
    assert.equal((await world.client.get(canoes)).status, 404);
  });

  it('quotas count custom objects by count/RESOURCE.GROUP', async () => {
    await namespace('counted');
    await boat('counted', 'before');
    const hard = { [`count/boats.${GROUP}`]: '5', 'count/configmaps': '9' };
    const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } };
    ok(await world.client.post(path('counted', 'resourcequotas'), quota));
    const used = (): Promise<string | undefined> =>
      get(path('counted', 'resourcequotas', 'q')).then(({ status }) => status.used?.[`count/boats.${GROUP}`]);
    await eventually(used, (count) => count === '1');
    await boat('counted', 'b');
    await boat('counted', 'c');
    await eventually(used, (count) => count === '3');
    for (const name of ['b', 'c', 'before']) await remove(path('counted', 'boats', name));
    await eventually(used, (count) => count === '0');
  });
});

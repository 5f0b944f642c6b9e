import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, deployment } from '@orch/registry/testing';
import { ApiFixture } from '@orch/server/testing';
import { historyPrefixOf, prefixRange } from '@orch/storage';
import { changesOf, DAY_MS, withHistory } from './testing/history-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const as = (name: string) => ({ headers: { 'user-agent': `${name}/1.0` } });

const storedChanges = async (api: ApiFixture): Promise<number> => {
  const { signal } = new AbortController();
  return (await api.model.list(prefixRange(historyPrefixOf('/registry/')), {}, signal)).count;
};

describe('the history of an object', () => {
  it('the history of an object has each write with its revision, kind, user, manager and the changed fields, the newest first', async () => {
    await using api = await withHistory();
    const created = await api.post(maps, configMap('a', { x: '1' }, { labels: { k: 'v' } }), as('first'));
    const { uid } = created.json.metadata;
    const changed = await api.patch(
      `${maps}/a`,
      { data: { x: '2' }, metadata: { labels: { 'a.b/c': '1' } } },
      'merge',
      as('second'),
    );
    const deleted = await api.delete(`${maps}/a`, undefined, as('third'));
    assert.equal(deleted.status, 200, deleted.text);
    const [removal, update, creation, ...others] = await changesOf(api, `${maps}/a`);
    assert.equal(others.length, 0);
    const shared = { namespace: 'default', name: 'a', user: 'tester' };
    const revision = created.json.metadata.resourceVersion;
    const { time, ...first } = creation ?? assert.fail();
    assert.match(String(time), /^\d{4}-.*Z$/);
    assert.deepEqual(first, {
      ...shared,
      revision,
      change: 'created',
      verb: 'create',
      manager: 'first',
      uid,
    });
    const { time: _, ...second } = update ?? assert.fail();
    const later = changed.json.metadata.resourceVersion;
    assert.deepEqual(second, {
      ...shared,
      revision: later,
      previousRevision: revision,
      change: 'updated',
      verb: 'patch',
      manager: 'second',
      fields: ['metadata.labels[a.b/c]', 'data.x'],
    });
    assert.equal(removal?.previousRevision, later);
    assert.deepEqual([removal?.change, removal?.verb, removal?.manager], ['deleted', 'delete', 'third']);
  });

  it('the history of an object returns the object at a revision and at a time as it was then, in the requested format', async () => {
    await using api = await withHistory();
    const created = await api.post(maps, configMap('a', { x: '1' }));
    api.env.clock.advance(1000);
    const between = new Date(api.env.clock.now()).toISOString();
    api.env.clock.advance(1000);
    const changed = await api.patch(`${maps}/a`, { data: { x: '2' } });
    const at = (moment: string, parts = {}) => api.get(`/history${maps}/a?at=${moment}`, parts);
    assert.deepEqual((await at(created.json.metadata.resourceVersion)).json, created.json);
    assert.deepEqual((await at(between)).json, created.json);
    assert.deepEqual((await at(changed.json.metadata.resourceVersion)).json, changed.json);
    const table = await at(between, { accept: 'application/json;as=Table;g=meta;v=v1, application/json' });
    assert.equal(table.status, 200);
    const yaml = await at(between, { accept: 'application/yaml' });
    assert.match(yaml.text, /x: "?'?1/);
    await api.delete(`${maps}/a`);
    assert.deepEqual((await at(changed.json.metadata.resourceVersion)).json, changed.json);
    assert.equal((await at(String(Number(changed.json.metadata.resourceVersion) + 1))).status, 404);
  });

  it('the history of an object refuses a resourceVersion in the future, whose state is not known yet', async () => {
    await using api = await withHistory();
    await api.post(maps, configMap('a', { x: '1' }));
    const { status, json } = await api.get(`/history${maps}/a?at=900000000`);
    assert.equal(status, 400);
    assert.match(json.message, /^the resourceVersion 900000000 is in the future: the present one is \d+$/);
  });

  it('the history of an object continues over a deletion and a creation under the same name', async () => {
    await using api = await withHistory();
    const revisions: string[] = [];
    for (const x of ['1', '2', '3']) {
      revisions.push((await api.post(maps, configMap('a', { x }))).json.metadata.resourceVersion);
      await api.delete(`${maps}/a`);
    }
    const kinds = (await changesOf(api, `${maps}/a`)).map(({ change }) => change);
    assert.deepEqual(kinds, ['deleted', 'created', 'deleted', 'created', 'deleted', 'created']);
    for (const [i, revision] of revisions.entries())
      assert.equal((await api.get(`/history${maps}/a?at=${revision}`)).json.data.x, String(i + 1));
  });

  it('the history of an object serves earlier states in each served version of the kind', async () => {
    await using api = await withHistory();
    const scaler = {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
      },
    };
    const path = (version: string) =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
    const created = await api.post(path('v1'), scaler);
    assert.equal(created.status, 201, created.text);
    const revision = created.json.metadata.resourceVersion;
    const inV2 = await api.get(`${path('v2')}/a`);
    await api.patch(`${path('v1')}/a`, { spec: { maxReplicas: 4 } });
    assert.deepEqual((await api.get(`/history${path('v1')}/a?at=${revision}`)).json, created.json);
    assert.deepEqual((await api.get(`/history${path('v2')}/a?at=${revision}`)).json, inV2.json);
    assert.deepEqual((await changesOf(api, `${path('v2')}/a`))[0]?.['fields'], ['spec.maxReplicas']);
  });

  it('the history of an object names subresources, and has no entry for dry runs, refused writes and writes without a change', async () => {
    await using api = await withHistory();
    await api.post(deployments, deployment('a'));
    const scaled = await api.patch(`${deployments}/a/scale`, { spec: { replicas: 3 } });
    assert.equal(scaled.status, 200, scaled.text);
    await api.patch(`${deployments}/a`, { spec: { replicas: 4 } }, 'merge', {});
    const before = await storedChanges(api);
    assert.equal((await api.patch(`${deployments}/a?dryRun=All`, { spec: { replicas: 5 } })).status, 200);
    assert.equal((await api.patch(`${deployments}/a`, { spec: { replicas: 4 } })).status, 200);
    assert.equal((await api.patch(`${deployments}/a`, { spec: { replicas: -1 } })).status, 422);
    assert.equal((await api.post(deployments, deployment('a'))).status, 409);
    assert.equal(await storedChanges(api), before);
    const changes = await changesOf(api, `${deployments}/a`);
    assert.deepEqual(
      changes.map(({ verb, subresource, fields }) => [verb, subresource, fields]),
      [
        ['patch', undefined, ['spec.replicas']],
        ['patch', 'scale', ['spec.replicas']],
        ['create', undefined, undefined],
      ],
    );
  });

  it('the history of an object is read in pages, and from a revision or a time on', async () => {
    await using api = await withHistory();
    await api.post(maps, configMap('a'));
    for (let x = 0; x < 9; x++) {
      api.env.clock.advance(1000);
      await api.patch(`${maps}/a`, { data: { x: String(x) } });
    }
    const all = await changesOf(api, `${maps}/a`);
    assert.equal(all.length, 10);
    const paged: unknown[] = [];
    let next: string | undefined;
    do {
      const from: string = next === undefined ? '' : `&continue=${next}`;
      const page = (await api.get(`/history${maps}/a?limit=4${from}`)).json;
      paged.push(...page.changes);
      next = page.continue;
    } while (next !== undefined);
    assert.deepEqual(paged, all);
    const newer = await changesOf(api, `${maps}/a`, `since=${all[3]?.revision}`);
    assert.deepEqual(newer, all.slice(0, 3));
    const since = new Date(api.env.clock.now() - 1500).toISOString();
    assert.deepEqual(await changesOf(api, `${maps}/a`, `since=${since}`), all.slice(0, 2));
  });

  it('the history of an object shows which changes were not recorded, and never a state of another time', async () => {
    await using recording = await withHistory();
    await recording.post(maps, configMap('a', { x: '1' }));
    await using other = await ApiFixture.open({ store: recording.model });
    const unrecorded = await other.patch(`${maps}/a`, { data: { x: '2' } });
    await recording.settled();
    const last = await recording.patch(`${maps}/a`, { data: { x: '3' } });
    const [, creation] = await changesOf(recording, `${maps}/a`);
    const revision = Number(creation?.revision);
    assert.equal((await recording.get(`/history${maps}/a?at=${revision}`)).status, 410);
    const known = await recording.get(`/history${maps}/a?at=${unrecorded.json.metadata.resourceVersion}`);
    assert.deepEqual(known.json, unrecorded.json);
    const [update] = await changesOf(recording, `${maps}/a`);
    assert.equal(update?.revision, last.json.metadata.resourceVersion);
    assert.equal(update?.previousRevision, unrecorded.json.metadata.resourceVersion);
  });

  it('the history of an object refuses times before the retention, and moments that are neither a revision nor a time', async () => {
    await using api = await withHistory();
    await api.post(maps, configMap('a'));
    const early = new Date(api.env.clock.now() - 2 * DAY_MS).toISOString();
    assert.equal((await api.get(`/history${maps}/a?at=${early}`)).status, 410);
    for (const moment of ['0', '-1', 'yesterday', '1.5', '99999999999999999999'])
      assert.equal((await api.get(`/history${maps}/a?at=${moment}`)).status, 400, moment);
    assert.equal((await api.get(`/history${maps}/none`)).status, 404);
    assert.equal((await api.get(`/history${maps}?at=5`)).status, 400);
  });
});

describe('the history of a collection', () => {
  it('the history of a collection has the changes of all objects of a namespace, the newest first, also of deleted ones', async () => {
    await using api = await withHistory();
    await api.post('/api/v1/namespaces', { metadata: { name: 'other' } });
    await api.post('/api/v1/namespaces/other/configmaps', configMap('elsewhere'));
    for (const name of ['a', 'b', 'c']) await api.post(maps, configMap(name));
    await api.patch(`${maps}/b`, { data: { x: '1' } });
    await api.delete(`${maps}/a`);
    const of = async (path: string, query = '') =>
      (await changesOf(api, path, query)).map(({ name, change }) => `${name} ${change}`);
    const expected = ['a deleted', 'b updated', 'c created', 'b created', 'a created'];
    assert.deepEqual(await of(maps), expected);
    assert.deepEqual(
      (await of('/api/v1/configmaps')).filter((line) => !expected.includes(line)),
      ['elsewhere created'],
    );
    assert.deepEqual((await changesOf(api, maps))[1]?.['fields'], ['data']);
    const first = (await api.get(`/history${maps}?limit=2`)).json;
    assert.deepEqual(
      [...first.changes, ...(await changesOf(api, maps, `continue=${first.continue}`))].map(
        ({ name, change }) => `${name} ${change}`,
      ),
      expected,
    );
  });

  it('the history of a collection includes what a deletecollection removed, and cluster-scoped objects', async () => {
    await using api = await withHistory();
    for (const name of ['a', 'b']) await api.post(maps, configMap(name));
    assert.equal((await api.delete(maps)).status, 200);
    const deletions = (await changesOf(api, maps)).filter(({ change }) => change === 'deleted');
    assert.deepEqual(deletions.map(({ name, verb }) => `${name} ${verb}`).sort(), [
      'a deletecollection',
      'b deletecollection',
    ]);
    await api.post('/api/v1/nodes', { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' } });
    assert.deepEqual(
      (await changesOf(api, '/api/v1/nodes')).map(({ name }) => name),
      ['n'],
    );
  });
});

describe('a server without a history', () => {
  it('a server without a history stores nothing beside the objects, and has no such paths', async () => {
    await using api = await ApiFixture.open();
    await api.post(maps, configMap('a'));
    await api.delete(`${maps}/a`);
    assert.equal(await storedChanges(api), 0);
    assert.equal((await api.get(`/history${maps}/a`)).status, 404);
  });
});

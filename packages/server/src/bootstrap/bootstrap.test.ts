import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { FakeClock } from '@orch/machinery/testing';
import { ModelStore, prefixRange } from '@orch/storage';
import { ApiFixture, type ApiFixtureOptions } from '../testing/index.ts';

const { signal } = new AbortController();
const open = (options: ApiFixtureOptions = {}): Promise<ApiFixture> => ApiFixture.open(options);
const flowControl = '/apis/flowcontrol.apiserver.orch.io/v1beta2';
const priorityClasses = '/apis/scheduling.orch.io/v1/priorityclasses';

async function listed(api: ApiFixture, path: string): Promise<readonly string[]> {
  const { status, json, text } = await api.get(path);
  assert.equal(status, 200, text);
  return json.items.map(({ metadata }: ApiObject) => metadata.name);
}

const namespaces = ['default', 'orch-node-lease', 'orch-public', 'orch-system'];
const levels = [
  'catch-all',
  'exempt',
  'global-default',
  'leader-election',
  'system',
  'workload-high',
  'workload-low',
];
const schemas = [
  'catch-all',
  'exempt',
  'global-default',
  'orch-controller-manager',
  'orch-scheduler',
  'orch-system-service-accounts',
  'service-accounts',
  'system-leader-election',
  'system-nodes',
  'workload-leader-election',
];
const sorted = (...names: readonly string[]): readonly string[] => [...names].sort();

describe('bootstrap objects of a new cluster', () => {
  for (const [release, version, moreLevels, moreSchemas] of [
    ['1.20', 'v1beta1', [], []],
    ['1.21', 'v1beta1', ['node-high'], ['probes', 'system-node-high']],
    ['1.24', 'v1beta2', ['node-high'], ['endpoint-controller', 'probes', 'system-node-high']],
    ['1.27', 'v1beta3', ['node-high'], ['endpoint-controller', 'probes', 'system-node-high']],
  ] as const) {
    it(`release ${release} has the bootstrap objects of that release`, async () => {
      await using api = await open({ release });
      const path = `/apis/flowcontrol.apiserver.orch.io/${version}`;
      assert.deepEqual(await listed(api, '/api/v1/namespaces'), namespaces);
      assert.deepEqual(await listed(api, priorityClasses), [
        'system-cluster-critical',
        'system-node-critical',
      ]);
      assert.deepEqual(
        await listed(api, `${path}/prioritylevelconfigurations`),
        sorted(...levels, ...moreLevels),
      );
      assert.deepEqual(await listed(api, `${path}/flowschemas`), sorted(...schemas, ...moreSchemas));
    });
  }

  it('flow schemas are for leader election with Leases only, in releases since 1.34', async () => {
    const path = '/apis/flowcontrol.apiserver.orch.io/v1/flowschemas';
    await using earlier = await open({ release: '1.33' });
    assert.deepEqual(
      await listed(earlier, path),
      sorted(...schemas, 'endpoint-controller', 'probes', 'system-node-high'),
    );
    await using later = await open({ release: '1.34' });
    assert.deepEqual(
      await listed(later, path),
      sorted(...schemas, 'probes', 'system-node-high').filter((name) => name !== 'workload-leader-election'),
    );
  });

  it('the components of the system elect leaders with Leases only, in releases since 1.24', async () => {
    const leases = {
      verbs: ['get', 'create', 'update'],
      apiGroups: ['coordination.orch.io'],
      resources: ['leases'],
      namespaces: ['*'],
    };
    for (const [release, version, rules] of [
      ['1.23', 'v1beta2', [['endpoints', 'configmaps'], ['leases']]],
      ['1.24', 'v1beta2', [['leases']]],
      ['1.34', 'v1', [['leases']]],
    ] as const) {
      await using api = await open({ release });
      const { json } = await api.get(
        `/apis/flowcontrol.apiserver.orch.io/${version}/flowschemas/system-leader-election`,
      );
      const { resourceRules } = json.spec.rules[0];
      assert.deepEqual(
        resourceRules.map(({ resources }: { resources: unknown }) => resources),
        rules,
        release,
      );
      assert.deepEqual(resourceRules.at(-1), leases, release);
    }
  });

  it('a release without flow control has no flow control objects', async () => {
    await using api = await open({ release: '1.15' });
    assert.deepEqual(await listed(api, '/api/v1/namespaces'), namespaces);
    assert.equal((await api.get('/apis/flowcontrol.apiserver.orch.io')).status, 404);
  });

  it('bootstrap objects are named after the naming', async () => {
    await using api = await open({ naming: 'kubernetes' });
    const names = await listed(api, '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas');
    assert.deepEqual(
      names.filter((name) => /^kube-|^orch/.test(name)),
      ['kube-controller-manager', 'kube-scheduler', 'kube-system-service-accounts'],
    );
    const { json } = await api.get(
      '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas/system-leader-election',
    );
    assert.deepEqual(json.spec.rules[0].resourceRules[0].apiGroups, ['coordination.k8s.io']);
  });

  it('the levels of all flow schemas exist, and their condition Dangling is False', async () => {
    for (const release of ['1.20', '1.24', '1.27']) {
      await using api = await open({ release });
      const version = { '1.20': 'v1beta1', '1.24': 'v1beta2', '1.27': 'v1beta3' }[release];
      const path = `/apis/flowcontrol.apiserver.orch.io/${version}`;
      const names = new Set(await listed(api, `${path}/prioritylevelconfigurations`));
      for (const schema of (await api.get(`${path}/flowschemas`)).json.items) {
        assert.ok(names.has(schema.spec.priorityLevelConfiguration.name), schema.metadata.name);
        const [{ type, status, reason }] = schema.status.conditions;
        assert.deepEqual([type, status, reason], ['Dangling', 'False', 'Found']);
      }
    }
  });

  it('fields of flow control objects belong to the manager that other servers name', async () => {
    await using api = await open();
    for (const path of [`${flowControl}/flowschemas`, `${flowControl}/prioritylevelconfigurations`])
      for (const { metadata } of (await api.get(path)).json.items)
        assert.deepEqual(
          metadata.managedFields.map(({ manager }: { manager?: string }) => manager),
          ['api-priority-and-fairness-config-producer-v1'],
        );
    const level = `${flowControl}/prioritylevelconfigurations/workload-low`;
    await api.delete(level);
    await api.registry.bootstrap(signal);
    const { metadata } = (await api.get(level)).json;
    assert.equal(metadata.managedFields[0].manager, 'api-priority-and-fairness-config-producer-v1');
  });

  it('the shares are in the field of the served version', async () => {
    for (const [release, version, field] of [
      ['1.24', 'v1beta2', 'assuredConcurrencyShares'],
      ['1.27', 'v1beta3', 'nominalConcurrencyShares'],
    ] as const) {
      await using api = await open({ release });
      const path = `/apis/flowcontrol.apiserver.orch.io/${version}/prioritylevelconfigurations`;
      const { json } = await api.get(`${path}/workload-low`);
      assert.equal(json.spec.limited[field], 100);
    }
  });
});

describe('bootstrap objects at the next start', () => {
  it('unchanged objects are not written', async () => {
    for (const release of ['1.20', '1.24', '1.27']) {
      await using api = await open({ release });
      const before = await api.model.currentRevision(signal);
      await api.registry.bootstrap(signal);
      assert.equal(await api.model.currentRevision(signal), before);
    }
  });

  it('deleted objects are created again', async () => {
    await using api = await open();
    await api.delete(`${flowControl}/flowschemas/service-accounts`);
    await api.delete(`${flowControl}/prioritylevelconfigurations/catch-all`);
    await api.registry.bootstrap(signal);
    await api.settled();
    assert.equal((await api.get(`${flowControl}/flowschemas/service-accounts`)).status, 200);
    assert.equal((await api.get(`${flowControl}/prioritylevelconfigurations/catch-all`)).status, 200);
  });

  it('system priority classes that the store has lost are created again', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    await (await open({ store: model }))[Symbol.asyncDispose]();
    const key = '/registry/priorityclasses.scheduling/system-node-critical';
    const { kv } = await model.get(key, signal);
    assert.ok(kv);
    await model.commit({ op: 'delete', key, expected: kv.modRevision }, signal);
    await using api = await open({ store: model });
    assert.equal((await api.get(`${priorityClasses}/system-node-critical`)).status, 200);
  });

  it('mandatory objects that were changed in the store are restored', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    await (await open({ store: model }))[Symbol.asyncDispose]();
    const key = '/registry/flowschemas.flowcontrol/catch-all';
    const { kv } = await model.get(key, signal);
    assert.ok(kv);
    const stored = JSON.parse(String(kv.value));
    const value = Buffer.from(JSON.stringify({ ...stored, spec: { ...stored.spec, rules: [] } }));
    await model.commit({ op: 'update', key, value, expected: kv.modRevision }, signal);
    await using api = await open({ store: model });
    const { spec, metadata } = (await api.get(`${flowControl}/flowschemas/catch-all`)).json;
    assert.deepEqual(spec, stored.spec);
    assert.equal(metadata.generation, 2);
  });

  for (const [title, annotation, isRefreshed] of [
    ['a changed object with updates enabled is refreshed', 'true', true],
    ['a changed object with updates disabled is kept', 'false', false],
    ['a changed object without the annotation is kept', undefined, false],
  ] as const) {
    it(title, async () => {
      await using api = await open();
      const path = `${flowControl}/prioritylevelconfigurations/workload-low`;
      const patched = await api.patch(path, {
        metadata: { annotations: { 'apf.orch.io/autoupdate-spec': annotation ?? null } },
        spec: { limited: { assuredConcurrencyShares: 7 } },
      });
      assert.equal(patched.status, 200, patched.text);
      await api.registry.bootstrap(signal);
      await api.settled();
      const { spec } = (await api.get(path)).json;
      assert.equal(spec.limited.assuredConcurrencyShares, isRefreshed ? 100 : 7);
    });
  }

  it('the labels of a namespace are kept', async () => {
    await using api = await open();
    await api.patch('/api/v1/namespaces/default', { metadata: { labels: { a: 'b' } } });
    await api.registry.bootstrap(signal);
    assert.equal((await api.get('/api/v1/namespaces/default')).json.metadata.labels.a, 'b');
  });
});

describe('bootstrap objects with many replicas', () => {
  it('replicas that start at the same time create every object once', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    const replicas = await Promise.all([1, 2, 3, 4].map((seed) => open({ store: model, seed })));
    const { items } = await model.list(prefixRange('/registry/'), {}, signal);
    assert.deepEqual(
      items.filter(({ createRevision, modRevision }) => createRevision !== modRevision),
      [],
    );
    assert.equal(items.filter(({ key }) => key.includes('/flowschemas.')).length, schemas.length + 3);
    for (const api of replicas) await api[Symbol.asyncDispose]();
  });
});

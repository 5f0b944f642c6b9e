import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { ModelStore, prefixRange } from '@orch/storage';
import { ApiFixture } from '../testing/index.ts';

const { signal } = new AbortController();
const base = '/apis/rbac.authorization.orch.io/v1';
const autoupdate = 'rbac.authorization.orch.io/autoupdate';

const again = async (api: ApiFixture): Promise<void> => {
  await api.settled();
  await api.registry.bootstrap(signal);
  await api.settled();
};

describe('default roles of a new cluster', () => {
  it('the default roles and bindings exist with their labels', async () => {
    await using api = await ApiFixture.open();
    for (const [resource, count] of [
      ['clusterroles', 64],
      ['clusterrolebindings', 45],
      ['roles', 7],
      ['rolebindings', 7],
    ] as const) {
      const { json } = await api.get(
        `${base}/${resource}?labelSelector=orch.io/bootstrapping%3Drbac-defaults`,
      );
      assert.equal(json.items.length, count, resource);
    }
    const { json: admin } = await api.get(`${base}/clusterroles/cluster-admin`);
    assert.deepEqual(admin.rules, [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]);
    const { json: bound } = await api.get(`${base}/clusterrolebindings/cluster-admin`);
    assert.equal(bound.subjects[0].name, 'system:masters');
  });

  for (const release of ['1.15', '1.20', '1.27'] as const) {
    it(`release ${release} has its default roles, and the next start writes nothing`, async () => {
      await using api = await ApiFixture.open({ release });
      const before = await api.model.currentRevision(signal);
      assert.equal((await api.get(`${base}/clusterroles/view`)).status, 200);
      await again(api);
      assert.equal(await api.model.currentRevision(signal), before);
    });
  }

  it('default roles are named after the naming', async () => {
    await using api = await ApiFixture.open({ naming: 'kubernetes' });
    const { status, json } = await api.get(
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:kube-scheduler',
    );
    assert.equal(status, 200);
    assert.deepEqual(json.metadata.annotations, { 'rbac.authorization.kubernetes.io/autoupdate': 'true' });
    assert.deepEqual(json.metadata.labels, { 'kubernetes.io/bootstrapping': 'rbac-defaults' });
  });
});

describe('default roles at the next start', () => {
  const scheduler = `${base}/clusterroles/system:volume-scheduler`;
  const own = { verbs: ['get'], apiGroups: ['example.com'], resources: ['things'] };

  it('missing permissions are added to a default role, and added ones are kept', async () => {
    await using api = await ApiFixture.open();
    const { json: whole } = await api.get(scheduler);
    await api.patch(scheduler, { rules: [own, whole.rules[0]] });
    await again(api);
    const { json } = await api.get(scheduler);
    assert.deepEqual(json.rules.slice(0, 2), [own, whole.rules[0]]);
    for (const rule of whole.rules.slice(1)) {
      for (const resource of rule.resources) {
        const back = json.rules.filter(
          (one: typeof rule) => one.resources.includes(resource) && one.apiGroups.includes(rule.apiGroups[0]),
        );
        assert.deepEqual(
          back.flatMap((one: typeof rule) => one.verbs).sort(),
          [...rule.verbs].sort(),
          resource,
        );
      }
    }
    const before = await api.model.currentRevision(signal);
    await again(api);
    assert.equal(await api.model.currentRevision(signal), before);
  });

  it('a default role with wider rules is not changed', async () => {
    await using api = await ApiFixture.open();
    const rules = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
    await api.patch(scheduler, { rules });
    await again(api);
    assert.deepEqual((await api.get(scheduler)).json.rules, rules);
  });

  it('missing subjects, labels and annotations are added beside others', async () => {
    await using api = await ApiFixture.open();
    const path = `${base}/clusterrolebindings/system:public-info-viewer`;
    const mine = { kind: 'User', apiGroup: 'rbac.authorization.orch.io', name: 'mine' };
    await api.patch(path, {
      subjects: [mine],
      metadata: { labels: { 'orch.io/bootstrapping': null, a: 'b' }, annotations: null },
    });
    await again(api);
    const { subjects, metadata } = (await api.get(path)).json;
    assert.deepEqual(
      subjects.map(({ name }: { name: string }) => name),
      ['mine', 'system:authenticated', 'system:unauthenticated'],
    );
    assert.deepEqual(metadata.labels, { 'orch.io/bootstrapping': 'rbac-defaults', a: 'b' });
    assert.deepEqual(metadata.annotations, { [autoupdate]: 'true' });
  });

  it('missing selectors are added to an aggregated role, and its rules are not changed', async () => {
    await using api = await ApiFixture.open();
    const path = `${base}/clusterroles/view`;
    await api.patch(path, {
      rules: [own],
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { x: 'y' } }] },
    });
    await again(api);
    const { rules, aggregationRule } = (await api.get(path)).json;
    assert.deepEqual(rules, [own]);
    assert.equal(aggregationRule.clusterRoleSelectors.length, 2);
  });

  it('deleted roles and bindings are created again', async () => {
    await using api = await ApiFixture.open();
    const paths = [
      `${base}/clusterrolebindings/cluster-admin`,
      `${base}/namespaces/orch-system/roles/extension-apiserver-authentication-reader`,
    ];
    for (const path of paths) assert.equal((await api.delete(path)).status, 200);
    await again(api);
    for (const path of paths) assert.equal((await api.get(path)).status, 200, path);
  });

  it('a binding with updates disabled is not changed, even if it refers to another role', async () => {
    await using api = await ApiFixture.open();
    const annotations = { [autoupdate]: 'false' };
    await api.patch(scheduler, { rules: [], metadata: { annotations } });
    const path = `${base}/clusterrolebindings/system:discovery`;
    const { json } = await api.get(path);
    await api.delete(path);
    await api.post(`${base}/clusterrolebindings`, {
      metadata: { name: 'system:discovery', annotations },
      roleRef: { ...json.roleRef, name: 'view' },
    });
    await again(api);
    assert.equal((await api.get(scheduler)).json.rules, null);
    assert.equal((await api.get(path)).json.roleRef.name, 'view');
  });

  it('a binding to another role is deleted and created again', async () => {
    await using api = await ApiFixture.open();
    const path = `${base}/clusterrolebindings/system:discovery`;
    const { json } = await api.get(path);
    await api.delete(path);
    await api.post(`${base}/clusterrolebindings`, {
      metadata: { name: 'system:discovery' },
      roleRef: { ...json.roleRef, name: 'view' },
    });
    await again(api);
    assert.deepEqual((await api.get(path)).json.roleRef, json.roleRef);
  });
});

describe('default roles with many replicas', () => {
  it('replicas that start at the same time create and complete every role once', async () => {
    const model = new ModelStore({ clock: new FakeClock() });
    const open = () => Promise.all([1, 2, 3].map((seed) => ApiFixture.open({ store: model, seed })));
    const first = await open();
    const ofRoles = async () =>
      (await model.list(prefixRange('/registry/'), {}, signal)).items.filter(({ key }) =>
        key.includes('.rbac/'),
      );
    assert.equal((await ofRoles()).length, 123);
    assert.deepEqual(
      (await ofRoles()).filter(({ createRevision, modRevision }) => createRevision !== modRevision),
      [],
    );
    const path = `${base}/clusterroles/system:node-proxier`;
    const [api] = first;
    assert.ok(api);
    const { json: whole } = await api.get(path);
    await api.patch(path, { rules: [] });
    const second = await open();
    const [restarted] = second;
    assert.ok(restarted);
    await restarted.settled();
    assert.equal(
      (await restarted.get(path)).json.rules.flatMap((rule: { resources: string[] }) => rule.resources)
        .length,
      whole.rules.flatMap((rule: { resources: string[] }) => rule.resources).length,
    );
    for (const one of [...first, ...second]) await one[Symbol.asyncDispose]();
  });
});

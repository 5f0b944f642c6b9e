import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes, runtimeConfig } from '@orch/apis';
import { type ApiObject, namesFor } from '@orch/machinery';
import { FakeClock, poll } from '@orch/machinery/testing';
import { ModelStore, prefixRange } from '@orch/storage';
import { ApiFixture, type ApiFixtureOptions } from '../testing/index.ts';

const { signal } = new AbortController();
const names = namesFor('orch');
const path = '/apis/apiregistration.orch.io/v1/apiservices';
const releases = Array.from({ length: 13 }, (_, i) => `1.${15 + i}`);
const store = (): ModelStore => new ModelStore({ clock: new FakeClock() });

/** Opens a server on a store and closes it, as a start of a replica does. */
async function start(options: ApiFixtureOptions): Promise<void> {
  await (await ApiFixture.open(options))[Symbol.asyncDispose]();
}

async function services(api: ApiFixture, of = path): Promise<readonly ApiObject[]> {
  await api.settled();
  const { status, json, text } = await api.get(of);
  assert.equal(status, 200, text);
  return json.items;
}

const namesOf = (objects: readonly ApiObject[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name ?? '');

/** Names of API services for the group versions in discovery. */
async function served(api: ApiFixture, registration: string): Promise<readonly string[]> {
  interface Group {
    readonly name: string;
    readonly versions: readonly { readonly version: string }[];
  }
  const { groups } = (await api.get('/apis')).json as { readonly groups: readonly Group[] };
  const own = groups.filter(({ name }) => name !== registration);
  return [
    'v1.',
    ...own.flatMap(({ name, versions }) => versions.map(({ version }) => `${version}.${name}`)),
  ].sort();
}

describe('API services of the group versions that a server serves', () => {
  for (const release of releases)
    for (const naming of ['orch', 'kubernetes'] as const)
      it(`API services match discovery in release ${release} with the naming ${naming}`, async () => {
        const { group } = namesFor(naming);
        const registration = group('apiregistration');
        const everything = runtimeConfig(['api/all=true'], builtinTypes, namesFor(naming));
        for (const isEnabled of [undefined, everything]) {
          await using api = await ApiFixture.open({
            release,
            naming,
            ...(isEnabled === undefined ? {} : { isEnabled }),
          });
          const found = namesOf(await services(api, `/apis/${registration}/v1/apiservices`));
          assert.deepEqual([...found].sort(), await served(api, registration));
        }
      });

  it('API services have priorities, the label and the condition Available', async () => {
    await using api = await ApiFixture.open({ release: '1.20' });
    const all = await services(api);
    assert.equal(all.length, 35);
    const published = (name: string): unknown => {
      const found = all.find(({ metadata }) => metadata.name === name);
      assert.ok(found, name);
      const { lastTransitionTime: _time, ...condition } = (found['status'] as Conditions).conditions[0] ?? {};
      return { spec: found['spec'], labels: found.metadata.labels, condition };
    };
    const common = {
      labels: { [names.labels.aggregatorAutomanaged]: 'onstart' },
      condition: {
        type: 'Available',
        status: 'True',
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    };
    for (const [name, spec] of [
      ['v1.', { version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 }],
      ['v1.apps', { group: 'apps', version: 'v1', groupPriorityMinimum: 17_800, versionPriority: 15 }],
      [
        'v2beta2.autoscaling',
        { group: 'autoscaling', version: 'v2beta2', groupPriorityMinimum: 17_500, versionPriority: 1 },
      ],
      [
        'v1beta1.rbac.authorization.orch.io',
        {
          group: 'rbac.authorization.orch.io',
          version: 'v1beta1',
          groupPriorityMinimum: 17_000,
          versionPriority: 12,
        },
      ],
    ] as const)
      assert.deepEqual(published(name), { spec, ...common });
  });

  it('replicas that start at the same time create them once, and later starts write nothing', async () => {
    const model = store();
    const replicas = await Promise.all([1, 2, 3].map((seed) => ApiFixture.open({ store: model, seed })));
    const stored = async () =>
      (await model.list(prefixRange('/registry/apiservices.apiregistration/'), {}, signal)).items;
    const first = await stored();
    assert.ok(first.length > 20, String(first.length));
    assert.ok(first.every(({ createRevision, modRevision }) => createRevision === modRevision));
    for (const replica of replicas) await replica[Symbol.asyncDispose]();
    const before = await model.currentRevision(signal);
    await start({ store: model, seed: 4 });
    assert.equal(await model.currentRevision(signal), before);
  });

  it('built-in API services follow the release and --runtime-config of the last start', async () => {
    const model = store();
    await start({ store: model, release: '1.20' });
    const off = runtimeConfig(['apps/v1=false'], builtinTypes, names);
    await using api = await ApiFixture.open({ store: model, seed: 2, release: '1.24', isEnabled: off });
    const found = namesOf(await services(api));
    assert.deepEqual([...found].sort(), await served(api, 'apiregistration.orch.io'));
    assert.ok(!found.includes('v1.apps') && !found.includes('v1beta1.extensions'));
    await start({ store: model, seed: 3, release: '1.20' });
    await using again = await ApiFixture.open({ store: model, seed: 4, release: '1.20' });
    assert.ok(namesOf(await services(again)).includes('v1.apps'));
  });
});

interface Conditions {
  readonly conditions: readonly Readonly<Record<string, unknown>>[];
}

describe('API services at the next start', () => {
  const remote = (name: string, labels: object = {}): object => {
    const [version, ...group] = name.split('.');
    return {
      metadata: { name, labels },
      spec: {
        version,
        group: group.join('.'),
        groupPriorityMinimum: 100,
        versionPriority: 7,
        service: { namespace: 'default', name: 'metrics' },
      },
    };
  };
  const marked = { [names.labels.aggregatorAutomanaged]: 'onstart' };

  it('API services of other servers are kept, even with the label or a name of this server', async () => {
    const model = store();
    await using api = await ApiFixture.open({ store: model });
    for (const object of [remote('v1beta1.metrics.example.com'), remote('v1.other.example.com', marked)]) {
      const made = await api.post(path, object);
      assert.equal(made.status, 201, made.text);
    }
    assert.equal((await api.delete(`${path}/v1.apps`)).status, 200);
    assert.equal((await api.post(path, remote('v1.apps', marked))).status, 201);
    await poll('the conditions of the API services', 30_000, async () => {
      const made = ['v1beta1.metrics.example.com', 'v1.other.example.com', 'v1.apps'];
      const answers = await Promise.all(made.map((name) => api.get(`${path}/${name}`)));
      return answers.every(({ json }) => 'status' in (json as object)) ? true : undefined;
    });
    const before = await model.currentRevision(signal);
    await api.registry.bootstrap(signal);
    assert.equal(await model.currentRevision(signal), before);
  });

  it('API services without the label are kept', async () => {
    const model = store();
    await using api = await ApiFixture.open({ store: model });
    const { status } = await api.patch(`${path}/v1.apps`, {
      metadata: { labels: null },
      spec: { versionPriority: 99 },
    });
    assert.equal(status, 200);
    const own = { version: 'v1', group: 'example.com', groupPriorityMinimum: 1, versionPriority: 1 };
    assert.equal((await api.post(path, { metadata: { name: 'v1.example.com' }, spec: own })).status, 201);
    const before = await model.currentRevision(signal);
    await api.registry.bootstrap(signal);
    assert.equal(await model.currentRevision(signal), before);
  });

  it('deleted ones are created, changed ones corrected and obsolete ones deleted', async () => {
    await using api = await ApiFixture.open();
    assert.equal((await api.delete(`${path}/v1.batch`)).status, 200);
    assert.equal((await api.patch(`${path}/v1.apps`, { spec: { versionPriority: 99 } })).status, 200);
    const stale = { version: 'v1', group: 'gone.orch.io', groupPriorityMinimum: 1, versionPriority: 1 };
    const made = await api.post(path, { metadata: { name: 'v1.gone.orch.io', labels: marked }, spec: stale });
    assert.equal(made.status, 201, made.text);
    await api.registry.bootstrap(signal);
    await api.settled();
    assert.equal((await api.get(`${path}/v1.batch`)).status, 200);
    assert.equal((await api.get(`${path}/v1.apps`)).json.spec.versionPriority, 15);
    assert.equal((await api.get(`${path}/v1.gone.orch.io`)).status, 404);
  });

  it('an API service that cannot be decoded does not stop the start', async () => {
    const model = store();
    await start({ store: model });
    const key = '/registry/apiservices.apiregistration/v1.apps';
    const { kv } = await model.get(key, signal);
    assert.ok(kv);
    const value = Buffer.from('rubbish');
    await model.commit({ op: 'update', key, value, expected: kv.modRevision }, signal);
    await start({ store: model, seed: 2 });
    assert.equal((await model.get(key, signal)).kv?.value?.toString(), 'rubbish');
  });
});

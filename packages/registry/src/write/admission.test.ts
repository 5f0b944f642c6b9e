import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes, AdmissionPlugin } from '@orch/admission';
import type { ApiObject } from '@orch/machinery';
import type { Answered } from '../testing/answers.ts';
import { binding, configMap, deployment, pod, scale } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const APPLY = 'application/apply-patch+yaml';

/** Sets a label on each object, and records the phases that it is called in. */
class Labeler implements AdmissionPlugin {
  readonly name = 'Labeler';
  readonly calls: string[] = [];
  readonly seen: AdmissionAttributes[] = [];

  handles({ resource }: { readonly resource: string }): boolean {
    return resource !== 'namespaces';
  }

  mutate({ operation, subresource, object, report }: AdmissionAttributes): undefined {
    this.calls.push(`mutate ${operation}${subresource === '' ? '' : ` ${subresource}`}`);
    if (object !== undefined && subresource !== 'scale')
      object.metadata.labels = { ...object.metadata.labels, admitted: 'yes' };
    report.warn(`seen by ${this.name}`);
  }

  validate(write: AdmissionAttributes): undefined {
    const { operation, subresource, object } = write;
    this.calls.push(`validate ${operation}${subresource === '' ? '' : ` ${subresource}`}`);
    this.seen.push(write);
    if (object !== undefined && subresource !== 'scale')
      assert.equal(object.metadata.labels?.['admitted'], 'yes');
  }
}

interface Written {
  readonly what: string;
  readonly send: (f: RegistryFixture) => Promise<Answered>;
  readonly code: number;
  readonly calls: readonly string[];
  /** The path of the object that is stored afterwards. */
  readonly stored?: string;
}

const of = (operation: string, subresource = ''): readonly string[] =>
  ['mutate', 'validate'].map(
    (phase) => `${phase} ${operation}${subresource === '' ? '' : ` ${subresource}`}`,
  );

const writes: readonly Written[] = [
  {
    what: 'create',
    send: (f) => f.post(`${ns}/configmaps`, configMap('new')),
    code: 201,
    calls: of('CREATE'),
    stored: `${ns}/configmaps/new`,
  },
  {
    what: 'update',
    send: (f) => f.put(`${ns}/configmaps/m`, configMap('m', { k: 'w' })),
    code: 200,
    calls: of('UPDATE'),
    stored: `${ns}/configmaps/m`,
  },
  {
    what: 'update that leaves the object as it was sent first',
    send: (f) => f.put(`${ns}/configmaps/m`, configMap('m', { k: 'v' })),
    code: 200,
    calls: of('UPDATE'),
    stored: `${ns}/configmaps/m`,
  },
  {
    what: 'merge patch',
    send: (f) => f.patch(`${ns}/configmaps/m`, { data: { k: 'w' } }),
    code: 200,
    calls: of('UPDATE'),
    stored: `${ns}/configmaps/m`,
  },
  {
    what: 'JSON patch',
    send: (f) => f.patch(`${ns}/configmaps/m`, [{ op: 'add', path: '/data/l', value: 'w' }], 'json'),
    code: 200,
    calls: of('UPDATE'),
    stored: `${ns}/configmaps/m`,
  },
  {
    what: 'strategic merge patch',
    send: (f) =>
      f.send('PATCH', `${ns}/configmaps/m`, {
        body: { data: { k: 'w' } },
        contentType: 'application/strategic-merge-patch+json',
      }),
    code: 200,
    calls: of('UPDATE'),
    stored: `${ns}/configmaps/m`,
  },
  {
    what: 'apply that creates',
    send: (f) =>
      f.send('PATCH', `${ns}/configmaps/a?fieldManager=t`, { body: configMap('a'), contentType: APPLY }),
    code: 201,
    calls: of('CREATE'),
    stored: `${ns}/configmaps/a`,
  },
  {
    what: 'apply that changes',
    send: (f) =>
      f.send('PATCH', `${ns}/configmaps/m?fieldManager=t`, {
        body: configMap('m', { l: 'w' }),
        contentType: APPLY,
      }),
    code: 200,
    calls: of('UPDATE'),
    stored: `${ns}/configmaps/m`,
  },
  {
    what: 'update through status',
    send: (f) => f.put(`${ns}/pods/p/status`, { ...pod('p'), status: { phase: 'Running' } }),
    code: 200,
    calls: of('UPDATE', 'status'),
    stored: `${ns}/pods/p`,
  },
  {
    what: 'update through scale',
    send: (f) => f.put(`${deployments}/d/scale`, scale('d', 7)),
    code: 200,
    calls: of('UPDATE', 'scale'),
  },
  { what: 'delete', send: (f) => f.delete(`${ns}/configmaps/m`), code: 200, calls: of('DELETE') },
  {
    what: 'deletion of a collection',
    send: (f) => f.delete(`${ns}/configmaps`),
    code: 200,
    calls: of('DELETE'),
  },
  {
    what: 'eviction',
    send: (f) => f.post(`${ns}/pods/p/eviction`, { metadata: { name: 'p' } }),
    code: 201,
    calls: of('CREATE', 'eviction'),
  },
  {
    what: 'binding of a pod',
    send: (f) => f.post(`${ns}/pods/p/binding`, binding('p', 'n')),
    code: 201,
    calls: of('CREATE', 'binding'),
  },
  {
    what: 'binding by its own resource',
    send: (f) => f.post(`${ns}/bindings`, binding('p', 'n')),
    code: 201,
    calls: of('CREATE'),
  },
  {
    what: 'review',
    send: (f) =>
      f.post('/apis/authorization.orch.io/v1/selfsubjectaccessreviews', {
        spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
      }),
    code: 201,
    calls: of('CREATE'),
  },
];

/** A fixture whose objects were stored before the plugin was enabled, and the plugin. */
async function open(plugin: AdmissionPlugin) {
  const without = await RegistryFixture.open();
  await without.post(`${ns}/configmaps`, configMap('m', { k: 'v' }));
  await without.post(`${ns}/pods`, pod('p'));
  await without.post(deployments, deployment('d'));
  const f = await RegistryFixture.open({ plugins: [plugin], store: without.model, env: without.env });
  return {
    f,
    async [Symbol.asyncDispose]() {
      await f[Symbol.asyncDispose]();
      await without[Symbol.asyncDispose]();
    },
  };
}

describe('admission of writes', () => {
  for (const { what, send, code, calls, stored } of writes)
    it(`plugins change and validate the object of a ${what}, and their warnings are in the reply`, async () => {
      const plugin = new Labeler();
      await using opened = await open(plugin);
      const { f } = opened;
      const { status, headers, text } = await send(f);
      assert.equal(status, code, text);
      assert.deepEqual(plugin.calls, calls);
      assert.deepEqual(headers['Warning'], ['299 - "seen by Labeler"']);
      if (stored === undefined) return;
      await f.settled();
      assert.equal((await f.get(stored)).json.metadata.labels.admitted, 'yes');
    });

  for (const { what, send } of writes)
    it(`a plugin that refuses a ${what} is called once, leaves the store unchanged, and its warning is in the reply`, async () => {
      let calls = 0;
      await using opened = await open({
        name: 'Refuser',
        handles: ({ resource }) => resource !== 'namespaces',
        validate({ report }) {
          calls += 1;
          report.warn('refused');
          return 'not today';
        },
      });
      const { f } = opened;
      const before = await f.model.currentRevision(new AbortController().signal);
      const { status, headers, json } = await send(f);
      assert.equal(status, 403);
      assert.match(json.message, /is forbidden: not today$/);
      assert.deepEqual(headers['Warning'], ['299 - "refused"']);
      assert.equal(await f.model.currentRevision(new AbortController().signal), before);
      assert.equal(calls, 1);
    });

  it('the object that plugins change is validated after the change', async () => {
    await using opened = await open({
      name: 'Breaker',
      handles: ({ resource }) => resource === 'configmaps',
      mutate({ object }) {
        if (object !== undefined) object.metadata.labels = { 'not a label': 'x' };
        return undefined;
      },
    });
    for (const answer of [
      await opened.f.post(`${ns}/configmaps`, configMap('new')),
      await opened.f.patch(`${ns}/configmaps/m`, { data: { k: 'w' } }),
    ]) {
      assert.equal(answer.status, 422);
      assert.equal(answer.json.details.causes[0].field, 'metadata.labels');
    }
  });

  it('a dry run passes both phases and stores nothing', async () => {
    const plugin = new Labeler();
    await using opened = await open(plugin);
    const answer = await opened.f.put(`${ns}/configmaps/m?dryRun=All`, configMap('m', { k: 'w' }));
    assert.equal(answer.json.metadata.labels.admitted, 'yes');
    assert.deepEqual(plugin.calls, of('UPDATE'));
    assert.equal(plugin.seen[0]?.dryRun, true);
    assert.equal((await opened.f.get(`${ns}/configmaps/m`)).json.metadata.labels, undefined);
  });

  it('the name that the server generates is known when the object is validated', async () => {
    const plugin = new Labeler();
    await using opened = await open(plugin);
    const { json } = await opened.f.post(`${ns}/configmaps`, { metadata: { generateName: 'x-' } });
    assert.equal(plugin.seen[0]?.name, json.metadata.name);
  });

  it('a write that lost a race is admitted again with the newer object as the old one', async () => {
    const states: (readonly [old: unknown, next: unknown])[] = [];
    let race: (() => Promise<unknown>) | undefined;
    const dataOf = (object: ApiObject | undefined): unknown => object?.['data'];
    await using opened = await open({
      name: 'Racer',
      handles: ({ resource }) => resource === 'configmaps',
      mutate({ object }) {
        if (object !== undefined) object.metadata.labels = { admitted: String(states.length) };
        return undefined;
      },
      async validate({ object, oldObject }) {
        states.push([dataOf(oldObject), dataOf(object)]);
        const first = race;
        race = undefined;
        await first?.();
        return undefined;
      },
    });
    const { f } = opened;
    race = () => f.patch(`${ns}/configmaps/m`, { data: { other: 'w' } });
    const { json } = await f.patch(`${ns}/configmaps/m`, { data: { mine: 'w' } });
    assert.deepEqual(states, [
      [{ k: 'v' }, { k: 'v', mine: 'w' }],
      [{ k: 'v' }, { k: 'v', other: 'w' }],
      [
        { k: 'v', other: 'w' },
        { k: 'v', mine: 'w', other: 'w' },
      ],
    ]);
    assert.deepEqual(json.metadata.labels, { admitted: '2' });
  });

  it('objects that plugins change are stored with their fields and keys in order', async () => {
    await using opened = await open({
      name: 'Shuffler',
      handles: ({ operation, resource }) => operation === 'CREATE' && resource === 'pods',
      mutate({ object }) {
        if (object === undefined) return undefined;
        const { spec, metadata } = object;
        const { containers, ...rest } = spec as { readonly containers: readonly object[] };
        const resources = { requests: { memory: '1Mi', cpu: '1' }, limits: { memory: '1Mi', cpu: '1' } };
        object.metadata = { labels: { z: '1', a: '2' }, ...metadata };
        delete object['spec'];
        object['spec'] = {
          ...rest,
          containers: containers.map((container) => ({ ...container, resources })),
        };
        return undefined;
      },
    });
    const { f } = opened;
    const created = await f.post(`${ns}/pods`, pod('shuffled'));
    assert.equal(created.status, 201, created.text);
    const { resourceVersion } = created.json.metadata;
    const again = await f.put(`${ns}/pods/shuffled`, created.json);
    assert.equal(again.status, 200, again.text);
    assert.equal(again.json.metadata.resourceVersion, resourceVersion);
    assert.equal(again.text, created.text);
  });

  it('an update that completes a deletion is admitted with the object that was sent', async () => {
    const plugin = new Labeler();
    await using opened = await open(plugin);
    const { f } = opened;
    await f.post(`${ns}/configmaps`, configMap('held', {}, { finalizers: ['example.com/hold'] }));
    await f.delete(`${ns}/configmaps/held`);
    plugin.seen.length = 0;
    assert.equal((await f.patch(`${ns}/configmaps/held`, { metadata: { finalizers: null } })).status, 200);
    assert.deepEqual(
      plugin.seen.map(({ operation, object }) => [operation, object?.metadata.name]),
      [['UPDATE', 'held']],
    );
    assert.equal((await f.get(`${ns}/configmaps/held`)).status, 404);
  });

  it('an apply that changes nothing itself is changed by plugins', async () => {
    const plugin = new Labeler();
    const without = await RegistryFixture.open();
    const apply = (f: RegistryFixture): Promise<Answered> =>
      f.send('PATCH', `${ns}/configmaps/a?fieldManager=t`, { body: configMap('a'), contentType: APPLY });
    await apply(without);
    await using f = await RegistryFixture.open({ plugins: [plugin], store: without.model, env: without.env });
    assert.equal((await apply(f)).json.metadata.labels.admitted, 'yes');
    await f.settled();
    assert.equal((await apply(f)).json.metadata.labels.admitted, 'yes');
    await f.settled();
    assert.equal((await apply(f)).json.metadata.labels.admitted, 'yes');
    assert.deepEqual(plugin.calls, [...of('UPDATE'), ...of('UPDATE'), ...of('UPDATE')]);
    await without[Symbol.asyncDispose]();
  });

  it('an apply that changed nothing before passes the phases of plugins that decide on it again', async () => {
    let refusal: string | undefined;
    const prechecked: string[] = [];
    const seen: AdmissionAttributes[] = [];
    const plugin: AdmissionPlugin = {
      name: 'Validator',
      handles: ({ operation }) => operation === 'UPDATE',
      precheck({ name }) {
        prechecked.push(name);
        return undefined;
      },
      validate(write) {
        seen.push(write);
        write.report.warn('seen');
        return refusal;
      },
    };
    await using f = await RegistryFixture.open({ plugins: [plugin] });
    const apply = async (): Promise<Answered> => {
      await f.settled();
      const body = configMap('a');
      return f.send('PATCH', `${ns}/configmaps/a?fieldManager=t`, { body, contentType: APPLY });
    };
    await apply();
    prechecked.length = 0;
    for (let i = 0; i < 3; i++) assert.equal((await apply()).status, 200);
    assert.deepEqual(prechecked, ['a', 'a', 'a']);
    assert.deepEqual(
      seen.map(({ object, oldObject }) => [object?.metadata.name, oldObject?.metadata.resourceVersion]),
      Array(3).fill(['a', seen[0]?.object?.metadata.resourceVersion]),
    );
    refusal = 'not now';
    assert.equal((await apply()).status, 403);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes, AdmissionPlugin } from '@orch/admission';
import type { ApiObject } from '@orch/machinery';
import { cloneJson, type JsonObject } from '@orch/machinery/json';
import { configMap, pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const v1Path = '/apis/apps/v1/namespaces/default/deployments';
const betaPath = '/apis/apps/v1beta1/namespaces/default/deployments';
const APPLY = 'application/apply-patch+yaml';
const { signal } = new AbortController();

const deployment = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

type Change = (object: ApiObject, write: AdmissionAttributes) => void | Promise<void>;

/** Records the validated cluster-scoped writes, and changes objects. */
class Recorder implements AdmissionPlugin {
  readonly name = 'Recorder';
  readonly seen: AdmissionAttributes[] = [];
  change: Change = () => {};

  handles({ resource }: { readonly resource: string }): boolean {
    return resource !== 'namespaces';
  }

  async mutate(write: AdmissionAttributes): Promise<undefined> {
    if (write.object !== undefined) await this.change(write.object, write);
  }

  validate(write: AdmissionAttributes): undefined {
    this.seen.push(write);
  }

  get last(): AdmissionAttributes {
    const last = this.seen.at(-1);
    assert.ok(last !== undefined);
    return last;
  }
}

async function open(release: '1.15' | '1.24' = '1.24') {
  const plugin = new Recorder();
  const f = await RegistryFixture.open({ plugins: [plugin], release });
  return { f, plugin, [Symbol.asyncDispose]: () => f[Symbol.asyncDispose]() };
}

describe('objects that admission plugins receive', () => {
  it('objects that admission plugins receive have the kind, the group and the version of the request', async () => {
    await using opened = await open('1.15');
    const { f, plugin } = opened;
    assert.equal((await f.post(betaPath, deployment)).status, 201);
    const { requested, object } = plugin.last;
    assert.deepEqual(requested.resource, { group: 'apps', version: 'v1beta1', resource: 'deployments' });
    assert.deepEqual(requested.kind, { group: 'apps', version: 'v1beta1', kind: 'Deployment' });
    assert.ok(object !== undefined);
    const sent = await requested.fromHub(object, signal);
    assert.equal(sent.apiVersion, 'apps/v1beta1');
    assert.equal(object.apiVersion, 'apps/v1');
  });

  it('objects that admission plugins receive are converted to each version that is served under another name', async () => {
    await using opened = await open('1.15');
    const { f, plugin } = opened;
    await f.post(v1Path, deployment);
    const { requested, object } = plugin.last;
    assert.ok(object !== undefined);
    const converted = await Promise.all(requested.equivalents().map((each) => each.fromHub(object, signal)));
    assert.deepEqual(converted.map(({ apiVersion }) => apiVersion).sort(), [
      'apps/v1beta1',
      'apps/v1beta2',
      'extensions/v1beta1',
    ]);
    assert.equal(object.apiVersion, 'apps/v1');
    assert.equal(requested.equivalents(), requested.equivalents());
  });

  it('objects that admission plugins receive have no equivalents in versions that the release does not serve', async () => {
    await using opened = await open('1.24');
    await opened.f.post(v1Path, deployment);
    assert.deepEqual(opened.plugin.last.requested.equivalents(), []);
  });

  it('objects that admission plugins receive return from another version with defaults and without fields that no kind has', async () => {
    await using opened = await open('1.15');
    const { f, plugin } = opened;
    plugin.change = async (object, { requested }) => {
      const [beta] = requested.equivalents();
      assert.ok(beta !== undefined);
      const patched = cloneJson(await beta.fromHub(object, signal)) as ApiObject & { spec: JsonObject };
      const changed = { ...patched, spec: { ...patched.spec, strategy: { type: 'Recreate' }, none: 1 } };
      const hub = await beta.toHub(changed, undefined, signal);
      for (const field of Object.keys(object)) delete object[field];
      Object.assign(object, hub);
    };
    const created = await f.post(v1Path, deployment);
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.json.spec.strategy, { type: 'Recreate' });
    assert.equal(created.json.spec.none, undefined);
    assert.equal(created.json.apiVersion, 'apps/v1');
  });

  it('objects that admission plugins return are refused unless they are objects of their kind', async () => {
    await using opened = await open();
    await opened.f.post(v1Path, deployment);
    const { requested } = opened.plugin.last;
    const toHub = (value: unknown) => () => requested.toHub(value, undefined, signal);
    assert.throws(toHub([]), /must be an object of kind Deployment/);
    assert.throws(toHub({ kind: 'Pod', metadata: {} }), /of kind "Pod"/);
    assert.throws(toHub({ apiVersion: 'v2', metadata: {} }), /apiVersion/);
    assert.throws(toHub({ metadata: {}, spec: { replicas: 'x' } }), /cannot be read as Deployment/);
    const containers = Array.from({ length: 50_000 }, () => ({}));
    assert.throws(
      toHub({ metadata: {}, spec: { template: { spec: { containers } } } }),
      /larger than the limit of 1572864 bytes/,
    );
  });

  it('objects that admission plugins receive are a Scale, new and old, when a request scales, and a changed Scale scales the object', async () => {
    await using opened = await open('1.15');
    const { f, plugin } = opened;
    await f.post(v1Path, { ...deployment, spec: { ...deployment.spec, replicas: 2 } });
    const scale = { metadata: { name: 'd' }, spec: { replicas: 7 } };
    for (const path of [v1Path, betaPath]) {
      plugin.change = () => {};
      const { text } = await f.put(`${path}/d/scale`, scale);
      const { object, oldObject, requested, subresource } = plugin.last;
      assert.equal(subresource, 'scale', text);
      assert.deepEqual([object?.kind, object?.['spec']], ['Scale', { replicas: 7 }]);
      assert.deepEqual([oldObject?.kind, oldObject?.['spec']], ['Scale', { replicas: 2 }]);
      assert.equal(requested.kind.kind, 'Scale');
      plugin.change = (each) => {
        each['spec'] = { replicas: 2 };
      };
      const changed = await f.patch(`${path}/d/scale`, { spec: { replicas: 9 } });
      assert.equal(changed.json.spec.replicas, 2, changed.text);
    }
  });

  it('objects that admission plugins receive are a Scale of the version that is asked for, with its selector in both forms', async () => {
    await using opened = await open('1.15');
    const { f, plugin } = opened;
    await f.post(v1Path, deployment);
    await f.put(`${v1Path}/d/scale`, { metadata: { name: 'd' }, spec: { replicas: 7 } });
    const { object, requested } = plugin.last;
    assert.ok(object !== undefined);
    const beta = requested.equivalents().find(({ resource }) => resource.version === 'v1beta1');
    assert.ok(beta !== undefined);
    const converted = await beta.fromHub(object, signal);
    assert.equal(converted.apiVersion, `${beta.kind.group}/v1beta1`);
    assert.deepEqual(converted['status'], { replicas: 0, selector: { a: 'b' }, targetSelector: 'a=b' });
    const back = await beta.toHub(converted, undefined, signal);
    assert.deepEqual([back.apiVersion, back['status']], ['autoscaling/v1', object['status']]);
  });

  for (const { what, path, body, kind } of [
    {
      what: 'Binding',
      path: 'binding',
      body: { metadata: { name: 'p' }, target: { name: 'n' } },
      kind: 'Binding',
    },
    { what: 'Eviction', path: 'eviction', body: { metadata: { name: 'p' } }, kind: 'Eviction' },
  ])
    it(`objects that admission plugins receive are the ${what} of a pod, which has no old state`, async () => {
      await using opened = await open();
      const { f, plugin } = opened;
      await f.post(`${ns}/pods`, pod('p'));
      const { status, text } = await f.post(`${ns}/pods/p/${path}`, body);
      assert.equal(status, 201, text);
      const { object, oldObject, operation, requested, name } = plugin.last;
      assert.deepEqual([object?.kind, oldObject, operation, name], [kind, undefined, 'CREATE', 'p']);
      assert.deepEqual([requested.subresource, requested.kind.kind], [path, kind]);
      assert.equal(plugin.seen.filter(({ resource }) => resource === 'pods').length, 2);
    });

  it('objects that admission plugins receive have the version that they replace', async () => {
    await using opened = await open();
    const { f, plugin } = opened;
    const { json } = await f.post(`${ns}/configmaps`, configMap('m'));
    await f.put(`${ns}/configmaps/m`, configMap('m', { k: 'v' }));
    const { object, oldObject } = plugin.last;
    const { resourceVersion } = json.metadata;
    assert.deepEqual(
      [object?.metadata.resourceVersion, oldObject?.metadata.resourceVersion],
      [resourceVersion, resourceVersion],
    );
  });
});

describe('options that admission plugins receive', () => {
  const apiVersion = 'meta.orch.io/v1';
  const query = '?dryRun=All&fieldManager=me';
  const given = { apiVersion, dryRun: ['All'], fieldManager: 'me' };
  for (const { what, send, options } of [
    {
      what: 'a creation',
      send: (f: RegistryFixture) => f.post(`${ns}/configmaps${query}`, configMap('new')),
      options: { kind: 'CreateOptions', ...given },
    },
    {
      what: 'an update',
      send: (f: RegistryFixture) => f.put(`${ns}/configmaps/m${query}`, configMap('m')),
      options: { kind: 'UpdateOptions', ...given },
    },
    {
      what: 'a patch',
      send: (f: RegistryFixture) => f.patch(`${ns}/configmaps/m${query}`, { data: { a: 'b' } }),
      options: { kind: 'UpdateOptions', ...given },
    },
    {
      what: 'an apply that creates',
      send: (f: RegistryFixture) =>
        f.send('PATCH', `${ns}/configmaps/a${query}`, { body: configMap('a'), contentType: APPLY }),
      options: { kind: 'CreateOptions', ...given },
    },
    {
      what: 'a deletion with options in its body',
      send: (f: RegistryFixture) =>
        f.send('DELETE', `${ns}/configmaps/m`, {
          body: { gracePeriodSeconds: 0, propagationPolicy: 'Orphan', preconditions: {} },
        }),
      options: { kind: 'DeleteOptions', apiVersion, gracePeriodSeconds: 0, propagationPolicy: 'Orphan' },
    },
    {
      what: 'a deletion with options in its query',
      send: (f: RegistryFixture) => f.delete(`${ns}/configmaps/m?gracePeriodSeconds=3&dryRun=All`),
      options: { kind: 'DeleteOptions', apiVersion, gracePeriodSeconds: 3, dryRun: ['All'] },
    },
    {
      what: 'a deletion of a collection',
      send: (f: RegistryFixture) => f.delete(`${ns}/configmaps`),
      options: { kind: 'DeleteOptions', apiVersion },
    },
  ])
    it(`admission plugins receive the options of ${what}`, async () => {
      await using opened = await open();
      const { f, plugin } = opened;
      await f.post(`${ns}/configmaps`, configMap('m'));
      const { status, text } = await send(f);
      assert.ok(status < 300, text);
      assert.deepEqual(plugin.last.options(), options);
    });
});

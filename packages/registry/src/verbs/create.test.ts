import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configMap, pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;

describe('the verb create', () => {
  it('create sets the metadata that the server decides, regardless of the request', async () => {
    await using api = await RegistryFixture.open();
    const { status, json } = await api.post(
      cms,
      configMap(
        'a',
        { k: 'v' },
        {
          uid: 'mine',
          creationTimestamp: '2001-01-01T00:00:00Z',
          generation: 9,
          selfLink: '/x',
          managedFields: [{}],
        },
      ),
    );
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(json), ['kind', 'apiVersion', 'metadata', 'data']);
    assert.deepEqual(Object.keys(json.metadata), [
      'name',
      'namespace',
      'uid',
      'resourceVersion',
      'creationTimestamp',
      'managedFields',
    ]);
    assert.notEqual(json.metadata.uid, 'mine');
    assert.equal(json.metadata.creationTimestamp, '2024-01-01T00:00:00Z');
    assert.deepEqual((await api.get(`${cms}/a`)).json, json);
  });

  it('create generates names of at most 63 characters from generateName', async () => {
    await using api = await RegistryFixture.open();
    const base = 'x'.repeat(70);
    for (const generateName of ['web-', base]) {
      const { status, json } = await api.post(cms, { metadata: { generateName } });
      assert.equal(status, 201);
      assert.match(json.metadata.name, /^(web-|x{58})[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      assert.equal(json.metadata.generateName, generateName);
    }
    const named = await api.post(cms, { metadata: { name: 'own', generateName: 'web-' } });
    assert.equal(named.json.metadata.name, 'own');
  });

  it('create tries several generated names when one is taken, then fails with 409', async () => {
    await using api = await RegistryFixture.open();
    const { random } = api.env;
    const draw = random.int;
    let draws = 0;
    random.int = (below) => (draws++ < 10 ? 0 : draw(below));
    assert.equal((await api.post(cms, { metadata: { generateName: 'x-' } })).json.metadata.name, 'x-bbbbb');
    assert.notEqual(
      (await api.post(cms, { metadata: { generateName: 'x-' } })).json.metadata.name,
      'x-bbbbb',
    );
    random.int = () => 0;
    const { status, json } = await api.post(cms, { metadata: { generateName: 'x-' } });
    assert.deepEqual([status, json.reason, json.details.retryAfterSeconds], [409, 'AlreadyExists', 1]);
  });

  it('create accepts objects without kind and apiVersion, and YAML', async () => {
    await using api = await RegistryFixture.open();
    assert.equal((await api.post(cms, { metadata: { name: 'a' } })).json.kind, 'ConfigMap');
    const yaml = 'metadata:\n  name: b\ndata:\n  mode: "0644"\n  text: |\n    two\n    lines\n';
    const { status, json } = await api.post(cms, yaml, { contentType: 'application/yaml' });
    assert.deepEqual([status, json.data], [201, { mode: '0644', text: 'two\nlines\n' }]);
  });

  it('create drops the status of kinds with a status subresource', async () => {
    await using api = await RegistryFixture.open();
    const { json } = await api.post(`${ns}/pods`, {
      ...pod('p'),
      status: { phase: 'Running', hostIP: '1.2.3.4' },
    });
    assert.deepEqual([json.status.phase, json.status.hostIP], ['Pending', undefined]);
    const node = await api.post('/api/v1/nodes', { metadata: { name: 'n' }, status: { phase: 'Running' } });
    assert.equal(node.json.status.phase, 'Running');
  });

  it('a create says when the object that has the name is being deleted', async () => {
    await using api = await RegistryFixture.open();
    const held = { ...configMap('a'), metadata: { name: 'a', finalizers: ['example.com/wait'] } };
    assert.equal((await api.post(cms, held)).status, 201);
    const taken = await api.post(cms, configMap('a'));
    assert.equal(taken.json.message, 'configmaps "a" already exists');
    await api.delete(`${cms}/a`);
    for (const query of ['', '?dryRun=All']) {
      const { status, json } = await api.post(cms + query, configMap('a'));
      assert.deepEqual([status, json.reason], [409, 'AlreadyExists']);
      assert.equal(json.message, 'object is being deleted: configmaps "a" already exists');
      assert.deepEqual(json.details, taken.json.details);
    }
  });

  it('a dry run of a create responds like a create and stores nothing', async () => {
    await using api = await RegistryFixture.open();
    const before = await api.model.currentRevision(new AbortController().signal);
    const { status, json } = await api.post(`${cms}?dryRun=All`, configMap('a'));
    assert.deepEqual([status, json.metadata.name, json.metadata.resourceVersion], [201, 'a', undefined]);
    assert.ok(json.metadata.uid);
    assert.equal((await api.get(`${cms}/a`)).status, 404);
    await api.post(cms, configMap('a'));
    assert.equal((await api.post(`${cms}?dryRun=All`, configMap('a'))).status, 409);
    assert.equal(await api.model.currentRevision(new AbortController().signal), before + 1);
  });

  it('events expire after an hour', async () => {
    await using api = await RegistryFixture.open();
    const event = {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    };
    assert.equal((await api.post(`${ns}/events`, event)).status, 201);
    await api.env.clock.advanceAsync(3_601_000);
    await api.settled();
    assert.equal((await api.get(`${ns}/events/e`)).status, 404);
  });

  it('events expire after the configured time, or never', async () => {
    const event = {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    };
    for (const [expirySeconds, status] of [
      [60, 404],
      [0, 200],
    ] as const) {
      await using api = await RegistryFixture.open({ limits: { expirySeconds } });
      await api.post(`${ns}/events`, event);
      await api.env.clock.advanceAsync(61_000);
      await api.settled();
      assert.equal((await api.get(`${ns}/events/e`)).status, status);
    }
  });
});

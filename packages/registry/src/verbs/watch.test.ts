import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@orch/machinery/testing';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const cms = '/api/v1/namespaces/default/configmaps';

describe('the verb watch', () => {
  it('a watch delivers every change in order, with the objects of get', async () => {
    await using api = await RegistryFixture.open();
    const watching = await api.watch(`${cms}?watch=1&resourceVersion=0`);
    const created = await api.post(cms, configMap('a'));
    const changed = await api.patch(`${cms}/a`, { data: { k: 'v' } });
    await api.delete(`${cms}/a`);
    await watching.until(3);
    assert.deepEqual(
      watching.events.map(({ type }) => type),
      ['ADDED', 'MODIFIED', 'DELETED'],
    );
    assert.deepEqual(watching.events[0].object, created.json);
    assert.deepEqual(watching.events[1].object, changed.json);
    const { resourceVersion } = watching.events[2].object.metadata;
    assert.ok(Number(resourceVersion) > Number(changed.json.metadata.resourceVersion));
    watching.stop();
    await watching.ended;
  });

  it('an object that is stored so that it cannot be decrypted ends the watches that contain it, with an error that names it', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a'));
    await api.settled();
    const open = (query: string) => api.watch(`${cms}?watch=1&resourceVersion=0&${query}`);
    const [all, labeled, other] = [
      await open(''),
      await open('labelSelector=a%3Db'),
      await open('fieldSelector=metadata.name%3Db'),
    ];
    const key = '/registry/configmaps/default/a';
    const { kv } = await api.store.get(key, new AbortController().signal);
    const value = Buffer.from(`${api.names.storedPrefixes.encrypted}aesgcm:v1:lost:text`);
    const write = { op: 'update', key, value, expected: kv?.modRevision ?? 0 } as const;
    assert.ok((await api.store.commit(write, new AbortController().signal)).ok);
    for (const watching of [all, labeled]) {
      await watching.ended;
      const { type, object } = watching.events.at(-1) ?? {};
      assert.deepEqual([type, object?.code, object?.reason], ['ERROR', 500, 'InternalError']);
      assert.match(object.message, /configmaps cannot be read: default\/a .*aesgcm:v1:lost:/);
    }
    await api.post(cms, configMap('b'));
    await other.until(1);
    assert.equal(other.events[0].object.metadata.name, 'b');
    other.stop();
    await other.ended;
  });

  it('a watch of one object works by field selector, by name, and by the older watch paths', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a'));
    await api.post(cms, configMap('b'));
    await api.settled();
    const watches = await Promise.all(
      [
        `${cms}/a?watch=1&resourceVersion=0`,
        `${cms}?watch=true&fieldSelector=metadata.name%3Da&resourceVersion=0`,
        '/api/v1/watch/namespaces/default/configmaps/a?resourceVersion=0',
      ].map((target) => api.watch(target)),
    );
    const whole = await api.watch('/api/v1/watch/configmaps?resourceVersion=0');
    await whole.until(2);
    await api.patch(`${cms}/b`, { data: { k: 'v' } });
    await api.patch(`${cms}/a`, { data: { k: 'v' } });
    await whole.until(4);
    for (const watching of watches) {
      await watching.until(2);
      assert.deepEqual(
        watching.events.map(({ type, object }) => `${type} ${object.metadata.name}`),
        ['ADDED a', 'MODIFIED a'],
      );
      watching.stop();
    }
    whole.stop();
    const namespace = await api.watch('/api/v1/watch/namespaces/default?resourceVersion=0');
    await namespace.until(1);
    assert.deepEqual(
      namespace.events.map(({ object }) => object.metadata.name),
      ['default'],
    );
    namespace.stop();
  });

  it('a watch ends after timeoutSeconds, with a bookmark where bookmarks are allowed', async () => {
    await using api = await RegistryFixture.open();
    const { resourceVersion } = (await api.post(cms, configMap('a'))).json.metadata;
    const base = `${cms}?watch=1&timeoutSeconds=10&resourceVersion=${resourceVersion}`;
    const plain = await api.watch(base);
    const marked = await api.watch(`${base}&allowWatchBookmarks=true`);
    await settle();
    await api.env.clock.advanceAsync(10_001);
    await Promise.all([plain.ended, marked.ended]);
    assert.deepEqual(plain.events, []);
    assert.deepEqual(marked.events, [
      { type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion } } },
    ]);
  });

  it('a watch with a huge timeoutSeconds is limited to the maximum', async () => {
    await using api = await RegistryFixture.open();
    const watching = await api.watch(`${cms}?watch=1&resourceVersion=0&timeoutSeconds=9007199254740991`);
    await api.post(cms, configMap('a'));
    await watching.until(1);
    assert.equal(watching.events.length, 1);
    watching.stop();
  });

  it('a watch without timeoutSeconds ends after a random time between the minimum and twice the minimum', async () => {
    await using api = await RegistryFixture.open();
    const watching = await api.watch(`${cms}?watch=1&resourceVersion=0`);
    let over = false;
    void watching.ended.then(() => {
      over = true;
    });
    await api.env.clock.advanceAsync(1_799_000);
    assert.equal(over, false);
    await api.env.clock.advanceAsync(1_802_000);
    await watching.ended;
  });

  it('an idle watch gets a bookmark about once a minute', async () => {
    await using api = await RegistryFixture.open();
    const watching = await api.watch(`${cms}?watch=1&allowWatchBookmarks=1&resourceVersion=0`);
    await settle();
    await api.post('/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
    await api.settled();
    await api.env.clock.advanceAsync(60_000);
    await watching.until(1);
    assert.equal(watching.events[0].type, 'BOOKMARK');
    assert.equal(watching.events[0].object.metadata.resourceVersion, String(api.cache.revision()));
    watching.stop();
  });

  it('a watch ends with a bookmark when the server drains', async () => {
    await using api = await RegistryFixture.open();
    const watching = await api.watch(`${cms}?watch=1&allowWatchBookmarks=1&resourceVersion=0`);
    await api.post(cms, configMap('a'));
    await watching.until(1);
    watching.drain();
    await watching.ended;
    assert.deepEqual(
      watching.events.map(({ type }) => type),
      ['ADDED', 'BOOKMARK'],
    );
  });

  it('a watch resumes on another replica without loss or repetition', async () => {
    await using first = await RegistryFixture.open();
    await using second = await RegistryFixture.open({ store: first.model, seed: 2 });
    const before = await first.watch(`${cms}?watch=1&resourceVersion=0`);
    for (let i = 0; i < 3; i++) await first.post(cms, configMap(`a${i}`));
    await before.until(3);
    before.stop();
    for (let i = 0; i < 3; i++) await second.post(cms, configMap(`b${i}`));
    const last = before.events.at(-1).object.metadata.resourceVersion;
    const after = await second.watch(`${cms}?watch=1&resourceVersion=${last}`);
    await after.until(3);
    assert.deepEqual(
      after.events.map(({ object }) => object.metadata.name),
      ['b0', 'b1', 'b2'],
    );
    after.stop();
  });

  it('a watch counts its events and their sizes in the metrics', async () => {
    await using api = await RegistryFixture.open();
    const watching = await api.watch(`${cms}?watch=1&resourceVersion=0`);
    await api.post(cms, configMap('a'));
    await watching.until(1);
    watching.stop();
    const text = api.env.metrics.text();
    assert.match(text, /apiserver_watch_events_total\{group="",version="v1",kind="ConfigMap"\} 1/);
    assert.match(text, /apiserver_storage_objects\{resource="configmaps"\} 1/);
    assert.match(text, /apiserver_storage_objects\{resource="leases.coordination.orch.io"\} 0/);
  });
});

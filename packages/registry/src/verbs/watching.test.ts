import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@orch/machinery/testing';
import { chunkPayload, frameChunk } from '@orch/request';
import { configMap, RegistryFixture } from '../testing/registry-fixture.ts';
import { WatchStream, type WatchStreamOptions } from './watch-stream.ts';

const cms = '/api/v1/namespaces/default/configmaps';

describe('watch', () => {
  it('delivers every change in order, with the objects as get shows them', async () => {
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

  it('watches one object, by its path, by its name, and by the older paths', async () => {
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

  it('ends after timeoutSeconds, with a bookmark for who asked for them', async () => {
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

  it('takes a timeout beyond all bounds for a long one', async () => {
    await using api = await RegistryFixture.open();
    const watching = await api.watch(`${cms}?watch=1&resourceVersion=0&timeoutSeconds=9007199254740991`);
    await api.post(cms, configMap('a'));
    await watching.until(1);
    assert.equal(watching.events.length, 1);
    watching.stop();
  });

  it('ends by itself after a random time between the minimum and twice that', async () => {
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

  it('gets a bookmark about once a minute when nothing happens', async () => {
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

  it('ends with a bookmark when the server drains', async () => {
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

  it('resumes on another replica without loss and without repetition', async () => {
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

  it('counts what it sends', async () => {
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

describe('the stream of a watch', () => {
  const item = (name: string) => ({
    type: 'ADDED' as const,
    rev: 1,
    object: undefined as never,
    encoded: () => Buffer.from(`${(name.length + 1).toString(16)}\r\n${name}\n\r\n`),
  });
  const options = (api: RegistryFixture): WatchStreamOptions => ({
    frames: {
      encoder: () => ({ id: '', encode: () => Buffer.alloc(0) }),
      bookmark: () => Buffer.alloc(0),
      error: (status) => frameChunk(Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`)),
    },
    clock: api.env.clock,
    timeoutMs: 60_000,
    events: { inc() {} },
    sizes: { observe() {} },
  });

  it('holds what comes before it is open, and what a client does not take, and asks for more only then', async () => {
    await using api = await RegistryFixture.open();
    const stream = new WatchStream(options(api));
    let resumed = 0;
    let closed = 0;
    stream.attach({ resume: () => void resumed++, close: () => void closed++, drain() {} });
    assert.equal(stream.deliver([item('a'), item('b')]), false);

    const written: string[] = [];
    let taking = false;
    let drained: () => void = () => {};
    const stop = new AbortController();
    const running = stream.run(
      {
        write: () => true,
        writeFramed(frames) {
          for (const frame of frames) written.push(chunkPayload(frame).toString().trim());
          return taking;
        },
        drained: () =>
          new Promise<void>((resolve) => {
            drained = resolve;
          }),
      },
      { signal: stop.signal, draining: new AbortController().signal },
    );
    assert.deepEqual([written, resumed], [['a', 'b'], 0]);
    taking = true;
    drained();
    await settle();
    assert.equal(resumed, 1);
    assert.equal(stream.deliver([item('c')]), true);
    assert.deepEqual(written, ['a', 'b', 'c']);
    taking = false;
    assert.equal(stream.deliver([item('d')]), false);
    stream.end('slow');
    assert.equal(closed, 0);
    drained();
    await running;
    assert.deepEqual([written, closed], [['a', 'b', 'c', 'd'], 1]);
  });

  it('says that history was lost with an ERROR event', async () => {
    await using api = await RegistryFixture.open();
    const stream = new WatchStream(options(api));
    stream.attach({ resume() {}, close() {}, drain() {} });
    const written: string[] = [];
    const running = stream.run(
      {
        write: () => true,
        writeFramed(frames) {
          for (const frame of frames) written.push(chunkPayload(frame).toString());
          return true;
        },
        drained: async () => {},
      },
      { signal: new AbortController().signal, draining: new AbortController().signal },
    );
    stream.end('expired');
    await running;
    const event = JSON.parse(written[0] ?? '');
    assert.deepEqual(
      [event.type, event.object.kind, event.object.code, event.object.reason],
      ['ERROR', 'Status', 410, 'Expired'],
    );
  });

  it('does not wait for ever for a client that takes nothing at its end', async () => {
    await using api = await RegistryFixture.open();
    const stream = new WatchStream(options(api));
    stream.attach({ resume() {}, close() {}, drain: () => stream.end('drained') });
    stream.deliver([item('a')]);
    const running = stream.run(
      { write: () => false, writeFramed: () => false, drained: () => new Promise<void>(() => {}) },
      { signal: new AbortController().signal, draining: new AbortController().signal },
    );
    await api.env.clock.advanceAsync(60_000);
    await api.env.clock.advanceAsync(5_000);
    await running;
  });
});

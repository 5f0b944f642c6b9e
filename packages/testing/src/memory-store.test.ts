import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '@orch/machinery/env';
import { type KvEvent, StoreError } from '@orch/storage';
import { MemoryStore } from './memory-store.ts';

const { signal } = new AbortController();
const bytes = (text: string) => Buffer.from(text);
const create = (store: MemoryStore, key: string, text: string) =>
  store.commit({ op: 'create', key, value: bytes(text) }, signal);
const content = (store: MemoryStore): string =>
  Array.from(store.objects(), ({ key, value }) => `${key}=${value}`).join(' ');

describe('the store of a test control plane', () => {
  it('a reset writes only the difference, in one revision', async () => {
    const store = new MemoryStore(systemClock);
    for (const key of ['a', 'b', 'c']) await create(store, key, key);
    store.mark();
    const before = await store.list({ start: 'a', end: 'b' }, {}, signal);
    await store.commit({ op: 'update', key: 'b', value: bytes('B'), expected: 3 }, signal);
    await store.commit({ op: 'delete', key: 'c', expected: 4 }, signal);
    await create(store, 'd', 'd');
    const at = await store.currentRevision(signal);
    store.reset();
    assert.equal(content(store), 'a=a b=b c=c');
    assert.equal(await store.currentRevision(signal), at + 1);
    assert.deepEqual((await store.list({ start: 'a', end: 'b' }, {}, signal)).items, before.items);
    store.reset();
    assert.equal(await store.currentRevision(signal), at + 1);
  });

  it('a reset after a reset returns to the same state', async () => {
    const store = new MemoryStore(systemClock);
    await create(store, 'a', 'a');
    store.mark();
    for (const text of ['x', 'y']) {
      const { kv } = await store.get('a', signal);
      await store.commit(
        { op: 'update', key: 'a', value: bytes(text), expected: kv?.modRevision ?? 0 },
        signal,
      );
      await create(store, 'b', text);
      store.reset();
      assert.equal(content(store), 'a=a');
    }
    await create(store, 'b', 'z');
    assert.equal(content(store), 'a=a b=z');
  });

  it('a follower shows the writes of its origin and refuses to write until it forks', async () => {
    const origin = new MemoryStore(systemClock);
    await create(origin, 'a', 'a');
    const follower = origin.follower(systemClock);
    await create(origin, 'b', 'b');
    assert.equal(content(follower), 'a=a b=b');
    await assert.rejects(create(follower, 'c', 'c'), (error) => error instanceof StoreError);
    follower.fork();
    await create(follower, 'c', 'follower');
    await create(origin, 'c', 'origin');
    assert.deepEqual([content(origin), content(follower)], ['a=a b=b c=origin', 'a=a b=b c=follower']);
  });

  it('a watch of a follower continues over the fork without a lost or repeated event', async () => {
    const origin = new MemoryStore(systemClock);
    const follower = origin.follower(systemClock);
    const watch = follower.watch({ start: 'a', end: 'z' }, 1, signal);
    const next = async (): Promise<string> => {
      const { value } = await watch.next();
      return JSON.stringify(
        value?.events.map((event: KvEvent) => (event.type === 'put' ? event.kv.key : event.key)),
      );
    };
    await create(origin, 'a', 'a');
    assert.equal(await next(), '["a"]');
    const waiting = next();
    follower.fork();
    await create(origin, 'b', 'b');
    await create(follower, 'c', 'c');
    assert.equal(await waiting, '["c"]');
    await watch.return(undefined);
  });

  it('a key that expires in a fork stays in its origin as long as it lives there', async () => {
    const origin = new MemoryStore(systemClock);
    await origin.commit({ op: 'create', key: 'a', value: bytes('a'), ttlSeconds: 3600 }, signal);
    const fork = origin.follower(systemClock);
    fork.fork();
    await fork.commit({ op: 'delete', key: 'a', expected: 2 }, signal);
    assert.deepEqual([content(origin), content(fork)], ['a=a', '']);
    fork.reset();
    assert.equal(content(fork), 'a=a');
    await Promise.all([origin.close(), fork.close()]);
  });
});

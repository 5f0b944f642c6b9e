import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prefixRange } from '../keys.ts';
import type { KvEvent } from '../store.ts';
import { WatchHub } from './watch-hub.ts';

const ALL = prefixRange('/');
const deletion = (rev: number): KvEvent => ({ type: 'delete', key: `/${rev}`, modRevision: rev });
const put = (rev: number, bytes: number): KvEvent => ({
  type: 'put',
  kv: { key: `/${rev}`, value: Buffer.alloc(bytes), createRevision: rev, modRevision: rev },
});

describe('WatchHub of the embedded store', () => {
  it('the watch hub keeps no events without watches', () => {
    const hub = new WatchHub(10);
    hub.publish([deletion(11), deletion(12)]);
    assert.equal(hub.rev, 12);
    assert.equal(hub.since(11, ALL), undefined);
    assert.deepEqual(hub.since(12, ALL), { rev: 12, events: [] });
  });

  it('the watch hub keeps the events that the slowest watch has not read', () => {
    const hub = new WatchHub(10);
    const slow = hub.register(10);
    hub.register(10).position = 12;
    hub.publish([deletion(11), deletion(12)]);
    hub.publish([deletion(13)]);
    assert.deepEqual(hub.since(slow.position, ALL), {
      rev: 13,
      events: [deletion(11), deletion(12), deletion(13)],
    });
    assert.deepEqual(hub.since(12, ALL), { rev: 13, events: [deletion(13)] });
    assert.deepEqual(hub.since(10, prefixRange('/12')), { rev: 13, events: [deletion(12)] });
  });

  it('the watch hub drops events when a watch is too far behind, in number or in bytes', () => {
    for (const [bytes, count] of [
      [1, 10_000],
      [1024 * 1024, 40],
    ] as const) {
      const hub = new WatchHub(0);
      hub.register(0);
      for (let rev = 1; rev <= count; rev++) hub.publish([put(rev, bytes)]);
      assert.equal(hub.since(0, ALL), undefined, 'the beginning is for the log to tell');
      assert.equal(hub.since(count - 5, ALL)?.events.length, 5);
    }
  });

  it('the watch hub keeps no events after a gap; watches read them from the log', () => {
    const hub = new WatchHub(0);
    hub.register(0);
    hub.publish([deletion(3), deletion(4)]);
    assert.equal(hub.rev, 4);
    assert.equal(hub.since(0, ALL), undefined);
    hub.publish([deletion(1), deletion(2)]);
    assert.equal(hub.rev, 4);
    hub.publish([deletion(5)]);
    assert.deepEqual(hub.since(4, ALL), { rev: 5, events: [deletion(5)] });
  });

  it('the watch hub drops all events when the store advances without their events', () => {
    const hub = new WatchHub(0);
    const cursor = hub.register(0);
    hub.publish([deletion(1)]);
    hub.skipTo(5);
    assert.equal(hub.since(cursor.position, ALL), undefined);
    hub.publish([deletion(6)]);
    assert.deepEqual(hub.since(5, ALL), { rev: 6, events: [deletion(6)] });
    hub.skipTo(3);
    assert.equal(hub.rev, 6);
  });
});

import assert from 'node:assert/strict';
import { type Case, type Fixture, lost } from './fixture.ts';

const SECOND = 1000;

/** Monotonic time in milliseconds, against which real ttls are checked. */
const monotonic = () => Number(process.hrtime.bigint() / 1_000_000n);

/** Advances time by `seconds` and waits until `name` is deleted. */
async function expired(f: Fixture, name: string, after: number, seconds: number): Promise<void> {
  await using watch = f.watch(after);
  await f.advance(seconds * SECOND);
  await watch.until(() => watch.events.some((event) => event.type === 'delete' && event.key === f.key(name)));
}

export const expiryCases: readonly Case[] = [
  [
    'a key with a ttl is deleted with a delete event, and not before its ttl',
    async (f) => {
      const before = monotonic();
      const created = await f.create('a', 'one', 1);
      await using watch = f.watch(created);
      await f.advance(0.9 * SECOND);
      if (f.canAdvance) assert.equal((await f.get('a'))?.modRevision, created);
      await f.advance(0.2 * SECOND);
      const [event] = await watch.received(1);
      if (!f.canAdvance) assert.ok(monotonic() - before >= 0.99 * SECOND, 'deleted before its ttl');
      assert.ok(event?.type === 'delete' && event.key === f.key('a') && event.modRevision > created);
      assert.equal(await f.get('a'), undefined);
      assert.ok((await f.revision()) >= event.modRevision);
      const write = { op: 'update', key: f.key('a'), value: Buffer.from('x'), expected: created } as const;
      assert.equal(lost(await f.store.commit(write, f.signal)), undefined);
      assert.ok((await f.create('a')) > event.modRevision);
    },
  ],
  [
    'keys that expire together are all deleted, each with an event',
    async (f) => {
      const start = await f.revision();
      for (let i = 0; i < 20; i++) await f.create(`k${i}`, 'x', 1);
      await using watch = f.watch(start);
      await f.advance(1.1 * SECOND);
      const events = await watch.received(40);
      const deleted = events.flatMap((event) => (event.type === 'delete' ? [event.key] : []));
      assert.equal(new Set(deleted).size, 20);
      assert.deepEqual(await f.names(), []);
    },
  ],
  [
    'an update without a ttl makes the key permanent, one with a ttl restarts it',
    async (f) => {
      const kept = await f.create('kept', 'x', 1);
      const renewed = await f.create('renewed', 'x', 1);
      await f.update('kept', kept, 'y');
      const start = await f.update('renewed', renewed, 'y', 3);
      const clock = await f.create('clock', 'x', 2);
      await expired(f, 'clock', clock, 2.1);
      assert.deepEqual(await f.names(), ['kept', 'renewed']);
      await expired(f, 'renewed', start, 1);
      assert.deepEqual(await f.names(), ['kept']);
    },
  ],
  [
    'a key that was deleted and created again does not inherit the old ttl',
    async (f) => {
      const first = await f.create('a', 'x', 1);
      await f.delete('a', first);
      await f.create('a', 'y');
      const clock = await f.create('clock', 'x', 2);
      await expired(f, 'clock', clock, 2.1);
      assert.equal((await f.get('a'))?.value.toString(), 'y');
    },
  ],
];

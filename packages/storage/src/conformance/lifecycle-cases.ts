import assert from 'node:assert/strict';
import { type Case, type Fixture, failsWith } from './fixture.ts';

/** Every call that returns a promise, by name. */
function calls(f: Fixture, signal: AbortSignal): readonly (readonly [string, () => Promise<unknown>])[] {
  return [
    ['get', () => f.store.get(f.key('a'), signal)],
    ['list', () => f.store.list(f.all, {}, signal)],
    ['scan', () => f.store.scan(f.all, {}, signal)[Symbol.asyncIterator]().next()],
    ['commit', () => f.store.commit({ op: 'create', key: f.key('a'), value: Buffer.from('x') }, signal)],
    ['currentRevision', () => f.store.currentRevision(signal)],
    ['compact', () => f.store.compact(1, signal)],
    ['size', () => f.store.size(signal)],
  ];
}

export const lifecycleCases: readonly Case[] = [
  [
    'a call whose signal has aborted rejects with its reason and has no effect',
    async (f) => {
      const reason = new Error('the client disconnected');
      const signal = AbortSignal.abort(reason);
      for (const [name, call] of calls(f, signal)) {
        await assert.rejects(call(), (error) => error === reason, name);
      }
      assert.equal(await f.get('a'), undefined);
    },
  ],
  [
    'a watch whose signal has aborted ends without a batch',
    async (f) => {
      const start = await f.revision();
      await f.create('a');
      for await (const _ of f.store.watch(f.all, start, AbortSignal.abort()))
        assert.fail('a batch was delivered');
    },
  ],
  [
    'an abort ends a waiting watch without an error',
    async (f) => {
      const idle = f.watch(await f.revision());
      const future = f.watch((await f.revision()) + 1000);
      await f.create('a');
      await idle.received(1);
      await Promise.all([idle.stop(), future.stop()]);
      assert.deepEqual([idle.failure, future.failure], [undefined, undefined]);
    },
  ],
  [
    'a consumer may leave a watch at any time, and the store stays usable',
    async (f) => {
      const start = await f.revision();
      await f.create('a');
      for await (const batch of f.store.watch(f.all, start, f.signal)) if (batch.events.length > 0) break;
      const rev = await f.create('b');
      await using watch = f.watch(rev - 1);
      await watch.received(1);
    },
  ],
  [
    'the size of the store is a number of bytes',
    async (f) => {
      await f.create('a', Buffer.alloc(1000));
      const { bytes } = await f.store.size(f.signal);
      assert.ok(Number.isSafeInteger(bytes) && bytes >= 1000, `${bytes}`);
    },
  ],
  [
    'after close every call fails with closed, watches too, and closing again is harmless',
    async (f) => {
      await using watch = f.watch(await f.revision());
      await f.create('b');
      await watch.received(1);
      await f.store.close();
      await watch.done;
      failsWith('closed')(watch.failure);
      for (const [, call] of calls(f, f.signal)) await assert.rejects(call(), failsWith('closed'));
      const late = f.watch(1);
      await late.done;
      failsWith('closed')(late.failure);
      await f.store.close();
    },
  ],
];

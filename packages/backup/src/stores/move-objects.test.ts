import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, seededRandom } from '@orch/machinery/testing';
import { currentStore, type KeyRange, ModelStore, prefixRange, type Store, StoreError } from '@orch/storage';
import { BackupError } from '../backup-error.ts';
import { DyingStore } from '../testing/dying-store.ts';
import { type IdleStore, type MovedKeys, moveObjects } from './move-objects.ts';
import { readPlacements } from './placement-record.ts';

const { signal } = new AbortController();
const PREFIX = '/registry/';
const EVENTS = `${PREFIX}events/`;

/** A main store with pods and events, and an empty store; each is a view with the revisions of clients. */
class World {
  readonly clock = new FakeClock();
  readonly main: Store = new ModelStore({ clock: this.clock });
  readonly other: Store = new ModelStore({ clock: this.clock });
  /** Opened by the URLs in the record. */
  earlier: Store = this.other;

  static async filled(): Promise<World> {
    const world = new World();
    for (let i = 0; i < 30; i++) {
      await put(world.main, `${PREFIX}pods/${i}`, 'pod');
      await put(world.main, `${EVENTS}${i}`, 'event', i === 0 ? 60 : undefined);
    }
    return world;
  }

  /** Moves events into a store, or back into the main one. */
  move(
    events: 'main' | 'other',
    main: Store = this.main,
    other: Store = this.other,
  ): Promise<readonly MovedKeys[]> {
    const idle = (
      store: Store,
      name: string,
      resources: IdleStore['resources'],
      foreign: readonly KeyRange[],
    ) => ({
      ...{ store, name, resources, foreign },
      servers: name === 'main' ? [] : [name],
    });
    const beforeAndAfter = [
      { start: PREFIX, end: EVENTS },
      { start: prefixRange(EVENTS).end, end: `${PREFIX}~` },
    ];
    const isSplit = events === 'other';
    const mainStore = idle(main, 'main', undefined, isSplit ? [prefixRange(EVENTS)] : []);
    return moveObjects(
      {
        stores: isSplit ? [mainStore, idle(other, 'other', ['events'], beforeAndAfter)] : [mainStore],
        openEarlier: async (servers) => {
          assert.deepEqual(servers, ['other']);
          // The move closes it.
          const store = new Proxy(this.earlier, {
            get: (target, name) =>
              name === 'close' ? async () => undefined : Reflect.get(target, name).bind(target),
          });
          return idle(store, 'other', [], [{ start: PREFIX, end: `${PREFIX}~` }]);
        },
        prefix: PREFIX,
        ownerOf: (key) => (isSplit && key.startsWith(EVENTS) ? 1 : 0),
        serverKeys: '~internal/replicas/',
        random: seededRandom(1),
      },
      signal,
    );
  }
}

async function put(store: Store, key: string, value: string, ttlSeconds?: number): Promise<void> {
  const write = { op: 'create', key, value: Buffer.from(value) } as const;
  const { ok } = await store.commit(ttlSeconds === undefined ? write : { ...write, ttlSeconds }, signal);
  assert.ok(ok);
}

const countIn = async (store: Store, prefix: string): Promise<number> =>
  (await store.list(prefixRange(prefix), {}, signal)).count;

const revisionOf = async (store: Store): Promise<number> =>
  (await currentStore(store, PREFIX, signal)).currentRevision(signal);

describe('moving objects between stores', () => {
  it('moving objects leaves those of other resources, and keeps times to live', async () => {
    const world = await World.filled();
    assert.deepEqual(await world.move('other'), [{ from: 'main', to: 'other', keys: 30 }]);
    assert.deepEqual([await countIn(world.main, EVENTS), await countIn(world.other, EVENTS)], [0, 30]);
    assert.equal(await countIn(world.main, `${PREFIX}pods/`), 30);
    await world.clock.advance(61_000);
    assert.equal(await countIn(world.other, EVENTS), 29);
    assert.deepEqual(await world.move('other'), []);
  });

  it('moving objects raises revisions above all that clients have seen, and no earlier one can be watched', async () => {
    const world = await World.filled();
    await put(world.other, `${EVENTS}before`, 'event');
    const before = await revisionOf(world.main);
    await world.move('other');
    const view = await currentStore(world.other, PREFIX, signal);
    assert.ok((await view.currentRevision(signal)) > before);
    const watch = async (): Promise<void> => {
      for await (const _batch of view.watch(prefixRange(EVENTS), before, signal)) return;
    };
    await assert.rejects(watch(), { code: 'compacted' });
    const { kv } = await view.get(`${EVENTS}before`, signal);
    assert.ok((kv?.modRevision ?? 0) > before, 'objects of the store have its new revisions');
    const split = await revisionOf(world.other);
    await world.move('main');
    assert.ok((await revisionOf(world.main)) > split);
    assert.deepEqual([await countIn(world.main, EVENTS), await countIn(world.other, EVENTS)], [31, 0]);
  });

  for (const events of ['other', 'main'] as const)
    it(`moving objects to the ${events} store ends after any interruption when it is repeated`, async () => {
      const world = await World.filled();
      if (events === 'main') await world.move('other');
      let interruptions = 0;
      for (let commits = 0; ; commits++) {
        const dying = (store: Store): Store => new DyingStore(store, commits);
        if (events === 'main') world.earlier = dying(world.other);
        const main = commits % 2 === 0 ? dying(world.main) : world.main;
        const error = await world.move(events, main, dying(world.other)).then(
          () => undefined,
          (failure: unknown) => failure,
        );
        if (error === undefined) break;
        assert.ok(error instanceof StoreError && error.message === 'killed', String(error));
        interruptions++;
      }
      assert.ok(interruptions > 5);
      const [from, to] = events === 'other' ? [world.main, world.other] : [world.other, world.main];
      assert.deepEqual([await countIn(from, EVENTS), await countIn(to, EVENTS)], [0, 30]);
    });

  it('moving objects is recorded before the first one is moved, so that servers with earlier flags do not start', async () => {
    const world = await World.filled();
    await assert.rejects(world.move('other', world.main, new DyingStore(world.other, 3)), StoreError);
    assert.deepEqual((await readPlacements(world.main, PREFIX, signal))['events']?.servers, ['other']);
  });

  it('moving objects is refused while a server runs, for different objects with one key, and for another earlier store', async () => {
    const refused = (pattern: RegExp) => (error: unknown) =>
      error instanceof BackupError && error.code === 'refused' && pattern.test(error.message);
    const world = await World.filled();
    await put(world.other, `${EVENTS}3`, 'another');
    await assert.rejects(
      world.move('other'),
      refused(/different objects with the key \/registry\/events\/3/),
    );
    assert.equal(await countIn(world.main, EVENTS), 30);
    world.earlier = new ModelStore({ clock: world.clock });
    await assert.rejects(world.move('main'), refused(/is not the store in which servers have stored events/));
    await put(world.main, `${PREFIX}~internal/replicas/a`, 'a');
    await assert.rejects(world.move('other'), refused(/a server uses the store/));
  });
});

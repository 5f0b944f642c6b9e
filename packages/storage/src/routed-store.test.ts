import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, testEnv } from '@orch/machinery/testing';
import { describeStore } from './conformance/index.ts';
import { ForwardingStore } from './forwarding-store.ts';
import { prefixRange } from './keys.ts';
import { ModelStore } from './model-store.ts';
import { RoutedStore } from './routed-store.ts';
import type { Revision, Store } from './store.ts';

const { signal } = new AbortController();
const value = Buffer.from('1');

/** A main store at revision 10, and one with the keys below `/r/leases/` and `/r/events/`. */
async function routed() {
  const clock = new FakeClock();
  const [main, other] = [new ModelStore({ clock }), new ModelStore({ clock })];
  for (let i = 0; i < 9; i++) await main.commit({ op: 'create', key: `/r/pods/${i}`, value }, signal);
  const store = new RoutedStore(main, [{ store: other, prefixes: ['/r/leases/', '/r/events/'] }]);
  const create = async (key: string): Promise<Revision> => {
    const committed = await store.commit({ op: 'create', key, value }, signal);
    assert.ok(committed.ok);
    return committed.rev;
  };
  return { main, other, store, create };
}

const keysIn = async (store: Store, prefix: string): Promise<readonly string[]> =>
  (await store.list(prefixRange(prefix), {}, signal)).items.map(({ key }) => key);

/** Makes the calls without a key on another store: those who work on one store of several have it beside the routed store. */
class CallsWithoutKey extends ForwardingStore {
  readonly #store: Store;

  constructor(routed: RoutedStore, store: Store) {
    super(routed);
    this.#store = store;
  }

  override currentRevision(stop: AbortSignal): Promise<Revision> {
    return this.#store.currentRevision(stop);
  }

  override compact(through: Revision, stop: AbortSignal): Promise<void> {
    return this.#store.compact(through, stop);
  }

  override size(stop: AbortSignal): ReturnType<Store['size']> {
    return this.#store.size(stop);
  }
}

/** Opens a main store and one with the keys of a prefix, with the revisions of the one far from those of the other. */
function openRouted(prefix: string, callsWithoutKey: 'main' | 'other' = 'main') {
  return async () => {
    const { clock } = testEnv();
    const stores = { main: new ModelStore({ clock }), other: new ModelStore({ clock }) };
    stores[callsWithoutKey === 'main' ? 'other' : 'main'].skipRevisions(5000);
    const routed = new RoutedStore(stores.main, [{ store: stores.other, prefixes: [prefix] }]);
    return {
      store: new CallsWithoutKey(routed, stores[callsWithoutKey]),
      signal,
      advance: (ms: number) => clock.advance(ms),
      [Symbol.asyncDispose]: () => routed.close(),
    };
  };
}

describeStore('routed, with all keys in the main', openRouted('/elsewhere/'));

describeStore('routed, with all keys in another', openRouted('/conformance/', 'other'));

describeStore('routed, with guards in another', openRouted('/conformance/guard'), {
  'guarded writes that are concurrent with a change of their guard do not take effect after it':
    'a guard in another store is read before the commit, and revisions of two stores have no order',
});

describe('RoutedStore over two stores', () => {
  it('RoutedStore writes and reads a key in the store of its prefix, with the revisions of that store', async () => {
    const { main, other, store, create } = await routed();
    const rev = await create('/r/leases/a');
    assert.equal(rev, await other.currentRevision(signal));
    assert.ok(rev < (await main.currentRevision(signal)));
    assert.equal((await store.get('/r/leases/a', signal)).kv?.modRevision, rev);
    assert.equal((await main.get('/r/leases/a', signal)).kv, undefined);
    await create('/r/leases-of-others/a');
    assert.deepEqual(await keysIn(other, '/r/'), ['/r/leases/a']);
  });

  it('RoutedStore lists, scans and watches a range in the store that has all of it', async () => {
    const { store, create } = await routed();
    await create('/r/leases/ns/a');
    await create('/r/events/a');
    const range = prefixRange('/r/leases/ns/');
    assert.deepEqual(await keysIn(store, '/r/leases/ns/'), ['/r/leases/ns/a']);
    for await (const { items } of store.scan(range, {}, signal)) assert.equal(items.length, 1);
    const stop = new AbortController();
    for await (const { events } of store.watch(range, 1, stop.signal)) {
      if (events.length > 0) stop.abort();
      for (const event of events) assert.equal(event.type === 'put' && event.kv.key, '/r/leases/ns/a');
    }
    assert.equal((await keysIn(store, '/r/')).length, 9, 'a range of several stores is that of the main one');
  });

  for (const op of ['create', 'update', 'delete'] as const)
    for (const guardHolds of [true, false])
      for (const keyHolds of [true, false]) {
        const outcome = !keyHolds
          ? 'reports the conflict of its key'
          : guardHolds
            ? 'takes effect'
            : 'reports the guard';
        it(`RoutedStore: ${op} with a guard in another store that ${guardHolds ? 'holds' : 'fails'} ${outcome}`, async () => {
          const { store, create } = await routed();
          const guard = {
            key: '/r/leases/a',
            revision: (await create('/r/leases/a')) + (guardHolds ? 0 : 1),
          };
          const key = '/r/pods/x';
          const isPresent = (op === 'create') !== keyHolds;
          const rev = isPresent ? await create(key) : 100;
          const own = {
            key: '/r/pods/1',
            revision: (await store.get('/r/pods/1', signal)).kv?.modRevision ?? 0,
          };
          const guards = [guard, own];
          const committed = await store.commit(
            op === 'create'
              ? { op, key, value, guards }
              : op === 'update'
                ? { op, key, value, expected: rev, guards }
                : { op, key, expected: rev, guards },
            signal,
          );
          assert.equal(committed.ok, guardHolds && keyHolds);
          if (committed.ok) return;
          assert.equal(committed.guardFailed === true, keyHolds);
          assert.equal(committed.current !== undefined, !keyHolds && isPresent);
        });
      }

  it('RoutedStore keeps the guards of the own store when that of another one holds', async () => {
    const { store, create } = await routed();
    const revision = await create('/r/leases/a');
    const committed = await store.commit(
      {
        op: 'create',
        key: '/r/pods/x',
        value,
        guards: [
          { key: '/r/leases/a', revision },
          { key: '/r/pods/1', revision: 999 },
        ],
      },
      signal,
    );
    assert.ok(!committed.ok && committed.guardFailed === true);
  });

  it('RoutedStore closes all stores', async () => {
    const { main, other, store } = await routed();
    await store.close();
    for (const closed of [main, other]) await assert.rejects(closed.get('/r/a', signal), { code: 'closed' });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { compareKeys, ModelStore, RoutedStore } from '@orch/storage';
import { foreignRanges } from './placement.ts';
import { areInOneStore, partialStores, routesOf } from './server-stores.ts';

const prefix = '/registry/';
const override = (...resources: readonly string[]) => ({ resources, servers: ['http://a:1'] });

/** Keys of objects, of their history and of servers, with the position of the store that has them. */
const keys: readonly (readonly [key: string, store: number])[] = [
  ['/registry/apiservices.apiregistration/v1', 0],
  ['/registry/events/ns/a', 1],
  ['/registry/events.example.com/ns/a', 0],
  ['/registry/leases.coordination/ns/a', 1],
  ['/registry/pods/ns/a', 0],
  ['/registry/resourcequotas/ns/a', 2],
  ['/registry/services/ns/a', 0],
  ['/registry/~internal/quotas/ns/a', 2],
  ['/registry/~internal/naming', 0],
  ['/registry~history/events/ns/a/0', 1],
  ['/registry~history/pods/ns/a/0', 0],
];

describe('the stores of a server', () => {
  const overrides = [undefined, override('events', 'leases.coordination'), override('resourcequotas')];
  const [main, ...others] = overrides.map((one) => ({
    store: new ModelStore({ clock: new FakeClock() }),
    override: one,
  }));
  assert.ok(main);

  it('the stores of a server own the objects of their resources, with what is in the same transactions', () => {
    const stores = partialStores([main, ...others], prefix);
    for (const [key, owner] of keys)
      assert.equal(
        stores.findIndex(({ owns }) => owns(key)),
        owner,
        key,
      );
  });

  it('the stores of a server have revisions that are compared within one store only', () => {
    const store = new RoutedStore(main.store, routesOf(others, prefix));
    for (const [key, owner] of keys)
      for (const [other, otherOwner] of keys)
        assert.equal(areInOneStore(store, key, other), owner === otherOwner, `${key} and ${other}`);
    assert.equal(areInOneStore(main.store, '/registry/events/ns/a', '/registry/pods/ns/a'), true);
  });

  it('the stores of a server are searched for the objects of all resources in other stores', () => {
    for (const [i, one] of overrides.entries())
      for (const [key, owner] of keys) {
        const isObject = key.startsWith(prefix) && !key.startsWith('/registry/~');
        const isForeign = foreignRanges(one, [main, ...others], prefix).some(
          ({ start, end }) => compareKeys(start, key) <= 0 && compareKeys(key, end) < 0,
        );
        assert.equal(isForeign, isObject && owner !== i, `${key} in ${i}`);
      }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { KeyedItem } from '../testing/keyed-item.ts';
import { KeyTable } from './key-table.ts';

const byKey = (items: Iterable<KeyedItem>): readonly KeyedItem[] =>
  [...items].sort((a, b) => (a.key < b.key ? -1 : 1));

describe('the table of objects by key', () => {
  for (const [what, keys, steps] of [
    ['of a few keys', 6, 2000],
    ['of many keys', 500, 6000],
  ] as const)
    it(`a table ${what} has the items that were set last and not deleted, after each step of a random run`, () => {
      for (let seed = 1; seed <= 4; seed++) {
        const random = seededRandom(seed);
        const table = new KeyTable<KeyedItem>(random.int(2 ** 32));
        const model = new Map<string, KeyedItem>();
        for (let step = 0; step < steps; step++) {
          const key = `ns-${random.int(3)}/name-${random.int(keys)}`;
          // Runs of additions and of removals alternate, so that the table grows and becomes smaller.
          const isSet = random.int(10) < (Math.floor(step / keys) % 2 === 0 ? 9 : 2);
          // The previous item is known to every other change.
          const known = step % 2 === 0 ? table.get(key) : undefined;
          if (isSet) {
            table.set(new KeyedItem(key, step), key, known);
            model.set(key, new KeyedItem(key, step));
          } else {
            table.delete(key, known);
            model.delete(key);
          }
          assert.equal(table.get(key)?.value, model.get(key)?.value, `seed ${seed}, step ${step}`);
          assert.equal(table.size, model.size);
          if (step % 97 === 0) assert.deepEqual(byKey(table.values()), byKey(model.values()));
        }
        for (let n = 0; n < keys; n++)
          for (let ns = 0; ns < 3; ns++)
            assert.equal(table.get(`ns-${ns}/name-${n}`)?.value, model.get(`ns-${ns}/name-${n}`)?.value);
      }
    });

  it('an empty table has no item', () => {
    const table = new KeyTable<KeyedItem>(7);
    table.delete('a');
    assert.equal(table.get('a'), undefined);
    assert.deepEqual([...table.values()], []);
    table.set(new KeyedItem('', 1));
    assert.equal(table.get('')?.value, 1);
    table.delete('');
    assert.equal(table.size, 0);
    assert.equal(table.get(''), undefined);
  });
});

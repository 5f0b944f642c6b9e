import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unicodeString } from '@orch/machinery/testing/unicode-string';
import { compareKeys } from '@orch/storage';
import fc from 'fast-check';
import { KeyedItem } from '../testing/keyed-item.ts';
import { prefixEnd } from './keys.ts';
import { Tree } from './tree.ts';

/** The reference: the same operations on a sorted array. */
class Model {
  items: KeyedItem[] = [];
  set(item: KeyedItem): KeyedItem | undefined {
    const there = this.items.find((i) => i.key === item.key);
    this.items = [...this.items.filter((i) => i !== there), item].sort((a, b) => compareKeys(a.key, b.key));
    return there;
  }
  delete(key: string): KeyedItem | undefined {
    const there = this.items.find((i) => i.key === key);
    this.items = this.items.filter((i) => i !== there);
    return there;
  }
  collect(prefix: string, after: string | undefined, limit: number): KeyedItem[] {
    return this.items
      .filter((i) => i.key.startsWith(prefix) && (after === undefined || compareKeys(i.key, after) > 0))
      .slice(0, limit);
  }
}

const keys = fc.oneof(
  fc.stringMatching(/^[a-d]\/[a-c]{0,3}$/),
  unicodeString({ maxLength: 3 }),
  fc.nat(400).map((n) => `n/${n}`),
);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('set' as const), key: keys }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('delete' as const), key: keys }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('snapshot' as const), key: keys }) },
);

describe('Tree of objects', () => {
  it('a tree behaves as a sorted array, and its snapshots never change', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 300, size: 'max' }),
        fc.string({ maxLength: 2 }),
        (steps, prefix) => {
          const tree = Tree.empty<KeyedItem>();
          const model = new Model();
          const snapshots: { tree: Tree<KeyedItem>; items: KeyedItem[] }[] = [];
          steps.forEach(({ op, key }, value) => {
            const item = new KeyedItem(key, value);
            // The previous item is known to every other change.
            const known = value % 2 === 0 ? tree.get(key) : undefined;
            if (op === 'set') assert.deepEqual(tree.set(item, key, known), model.set(item));
            if (op === 'delete') assert.deepEqual(tree.delete(key, known), model.delete(key));
            if (op === 'snapshot') snapshots.push({ tree: tree.snapshot(), items: model.items });
            assert.deepEqual(
              tree.get(key),
              model.items.find((i) => i.key === key),
            );
            assert.equal(tree.rank(key), model.items.filter((i) => compareKeys(i.key, key) < 0).length);
          });
          assert.deepEqual(tree.collect('', undefined), model.items);
          assert.deepEqual(tree.collect(prefix, undefined, 5), model.collect(prefix, undefined, 5));
          const safe = prefix === '' ? '' : 'n/';
          assert.equal(tree.count(safe), model.collect(safe, undefined, 1e9).length);
          for (const { tree: old, items } of snapshots) assert.deepEqual(old.collect('', undefined), items);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('ten thousand keys can be listed in pages in order and removed again', () => {
    const tree = Tree.empty<KeyedItem>();
    const name = (n: number): string => `ns-${n % 7}/pod-${String(n).padStart(5, '0')}`;
    const count = 10_000;
    for (let n = 0; n < count; n++) tree.set(new KeyedItem(name((n * 7919) % count), n));
    const paged: string[] = [];
    let page = tree.collect('', undefined, 500);
    while (page.length > 0) {
      paged.push(...page.map((i) => i.key));
      page = tree.collect('', page.at(-1)?.key, 500);
    }
    assert.deepEqual(paged, Array.from({ length: count }, (_, n) => name(n)).sort());
    assert.equal(tree.count('ns-3/'), paged.filter((k) => k.startsWith('ns-3/')).length);
    const before = tree.snapshot();
    for (let n = 0; n < count; n++) assert.notEqual(tree.delete(name((n * 104_729) % count)), undefined);
    assert.equal(tree.size, 0);
    assert.deepEqual(tree.collect('', undefined), []);
    assert.equal(before.collect('', undefined).length, count);
  });
});

describe('keys of a tree', () => {
  it('prefixEnd returns the smallest key after all keys with the prefix', () => {
    assert.equal(prefixEnd('a/'), 'a0');
    assert.equal(prefixEnd(''), undefined);
  });
});

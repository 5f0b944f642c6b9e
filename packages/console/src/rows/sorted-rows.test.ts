import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Row, rowOf, sortValue } from './row.ts';
import { type Arrangement, SortedRows, unarranged } from './sorted-rows.ts';

const row = (name: string, cell: string | number = name, namespace = 'web'): Row =>
  rowOf({ cells: [name, cell], object: { metadata: { name, namespace } } as never }) ?? assert.fail();

const names = (rows: SortedRows): string => rows.visible.map(({ name }) => name).join(' ');

const byCell: Arrangement = { sortKey: ({ cells }) => cells[1] ?? '', isDescending: false, words: [] };

describe('the sorted rows of a list', () => {
  it('rows are in the order of namespace and name', () => {
    const rows = new SortedRows();
    for (const each of [row('b'), row('c', 0, 'a'), row('a')]) rows.put(each);
    assert.equal(names(rows), 'c a b');
  });

  it('rows are in the order of a column in both directions, with equal values in the order of names', () => {
    const rows = new SortedRows();
    for (const each of [row('a', 10), row('b', 9), row('c', 10), row('d', 'x')]) rows.put(each);
    rows.arrange(byCell);
    assert.equal(names(rows), 'b a c d');
    rows.arrange({ ...byCell, isDescending: true });
    assert.equal(names(rows), 'd a c b');
  });

  it('a search shows the rows that contain all of its words', () => {
    const rows = new SortedRows();
    for (const each of [row('one', 'Ready'), row('two', 'Ready'), row('three')]) rows.put(each);
    rows.arrange({ ...unarranged, words: ['ready', 'tw'] });
    assert.equal(names(rows), 'two');
    rows.put(row('twin', 'READY'));
    assert.equal(names(rows), 'twin two');
    assert.equal(rows.size, 4);
  });

  it('the visible rows are those of a new list with the same rows, after any changes', () => {
    const change = fc.record({
      name: fc.constantFrom(...'abcdefgh'),
      cell: fc.nat(4),
      isRemoved: fc.boolean(),
    });
    const words = fc.constantFrom<readonly string[]>([], ['1'], ['a']);
    fc.assert(
      fc.property(fc.array(change), fc.boolean(), words, (changes, isDescending, words) => {
        const rows = new SortedRows();
        rows.arrange({ ...byCell, isDescending, words });
        const expected = new Map<string, Row>();
        for (const { name, cell, isRemoved } of changes) {
          const each = row(name, cell);
          if (isRemoved) expected.delete(each.key);
          else expected.set(each.key, each);
          if (isRemoved) rows.remove(each.key);
          else rows.put(each);
        }
        const fresh = new SortedRows();
        for (const each of expected.values()) fresh.put(each);
        fresh.arrange({ ...byCell, isDescending, words });
        assert.deepEqual(rows.visible, fresh.visible);
        for (const [place, { key }] of rows.visible.entries()) assert.equal(rows.indexOf(key), place);
      }),
    );
  });

  it('rows that a complete list does not contain disappear', () => {
    const rows = new SortedRows();
    for (const name of 'abc') rows.put(row(name));
    rows.retain(new Set(['web/b']));
    assert.deepEqual([names(rows), rows.size], ['b', 1]);
  });
});

describe('the order of a column', () => {
  const column = (name: string) => ({ name, type: 'string', format: '', priority: 0 });

  for (const [cell, expected] of [
    ['3 (5m ago)', 3],
    ['12', 12],
    ['1/2', 1],
    ['10.0.0.1', '10.0.0.1'],
    ['2026-01-02', '2026-01-02'],
    ['50%', 50],
    ['', ''],
  ] as const)
    it(`a cell ${JSON.stringify(cell)} is ordered as ${JSON.stringify(expected)}`, () =>
      assert.equal(sortValue(row('a', cell), column('X'), 1), expected));

  it('the newest object comes first by age', () => {
    const born = (createdMs: number): Row => ({ ...row('a'), createdMs });
    assert.ok(sortValue(born(2000), column('Age'), 1) < sortValue(born(1000), column('Age'), 1));
  });
});

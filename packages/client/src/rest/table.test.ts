import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tableIn } from './table.ts';

describe('tables in responses', () => {
  it('columns, rows and the metadata of lists are read; fields of other types count as absent', () => {
    const table = tableIn({
      kind: 'Table',
      metadata: { resourceVersion: '7', continue: 'next' },
      columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', priority: 0 }, { name: 5 }],
      rows: [{ cells: ['a', 1], object: { metadata: { name: 'a' } } }, { cells: 'none' }, null],
    });
    assert.deepEqual(table, {
      resourceVersion: '7',
      continue: 'next',
      columns: [
        { name: 'Name', type: 'string', format: 'name', priority: 0 },
        { name: '', type: '', format: '', priority: 0 },
      ],
      rows: [
        { cells: ['a', 1], object: { metadata: { name: 'a' } } },
        { cells: [], object: undefined },
      ],
    });
  });

  for (const [title, body] of [
    [
      'a list',
      { kind: 'StarList', metadata: { resourceVersion: '3' }, items: [{ metadata: { name: 'a' } }] },
    ],
    ['an object', { kind: 'Star', metadata: { name: 'a', resourceVersion: '3' } }],
  ] as const)
    it(`${title} of a server without tables becomes rows of name and creation time`, () => {
      const { columns, rows, resourceVersion } = tableIn(body);
      assert.deepEqual(
        columns.map(({ name }) => name),
        ['Name', 'Age'],
      );
      assert.deepEqual(
        rows.map(({ cells }) => cells),
        [['a', '<unknown>']],
      );
      assert.equal(resourceVersion, '3');
    });
});

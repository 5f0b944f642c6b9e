import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './source-files.ts';

/** Folders of `test/` that hold no tests. */
const output = ['dist'];

/** The names in the first column of a table whose cells are in backticks. */
const rowsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map((match) => match[1] ?? '');

/** The folders without a row, and the rows without a folder. */
function differences(folders: readonly string[], rows: readonly string[]): readonly string[] {
  return [
    ...folders.filter((name) => !rows.includes(name)).map((name) => `no row for test/${name}`),
    ...rows.filter((name) => !folders.includes(name)).map((name) => `no folder test/${name}`),
    ...rows.filter((name, index) => rows.indexOf(name) !== index).map((name) => `two rows for ${name}`),
  ];
}

const folders = readdirSync(join(root, 'test'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !output.includes(entry.name))
  .map((entry) => entry.name);

describe('the table of test/README.md', () => {
  it('the table of test/README.md has one row for each folder of test/', () => {
    assert.deepEqual(differences(folders, rowsOf(readFileSync(join(root, 'test/README.md'), 'utf8'))), []);
  });

  it('a folder without a row, a row without a folder and a repeated row are reported', () => {
    const rows = rowsOf(
      '| folder | proves |\n| ------ | ------ |\n| `a`    | x |\n| `a` | y |\n| `b` | z |\n',
    );
    assert.deepEqual(differences(['a', 'c'], rows), [
      'no row for test/c',
      'no folder test/b',
      'two rows for a',
    ]);
  });

  it('docs/architecture.md links to test/README.md', () => {
    assert.match(readFileSync(join(root, 'docs/architecture.md'), 'utf8'), /\]\(\.\.\/test\/README\.md\)/);
  });
});

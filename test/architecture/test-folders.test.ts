import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './source-files.ts';

/** Folders of `test/` that hold no tests. */
const output = ['dist'];

/** The names in backticks with which the items of a list begin. */
const itemsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^- `([^`]+)`: /gm)].map((match) => match[1] ?? '');

/** The folders without an item, and the items without a folder. */
function differences(folders: readonly string[], items: readonly string[]): readonly string[] {
  return [
    ...folders.filter((name) => !items.includes(name)).map((name) => `no item for test/${name}`),
    ...items.filter((name) => !folders.includes(name)).map((name) => `no folder test/${name}`),
    ...items.filter((name, index) => items.indexOf(name) !== index).map((name) => `two items for ${name}`),
  ];
}

const folders = readdirSync(join(root, 'test'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !output.includes(entry.name))
  .map((entry) => entry.name);

describe('the list of test/README.md', () => {
  it('the list of test/README.md has one item for each folder of test/', () => {
    assert.deepEqual(differences(folders, itemsOf(readFileSync(join(root, 'test/README.md'), 'utf8'))), []);
  });

  it('a folder without an item, an item without a folder and a repeated item are reported', () => {
    const items = itemsOf('- `a`: x\n- `a`: y\n- `b`: z\n');
    assert.deepEqual(differences(['a', 'c'], items), [
      'no item for test/c',
      'no folder test/b',
      'two items for a',
    ]);
  });

  it('docs/architecture.md links to test/README.md', () => {
    assert.match(readFileSync(join(root, 'docs/architecture.md'), 'utf8'), /\]\(\.\.\/test\/README\.md\)/);
  });
});

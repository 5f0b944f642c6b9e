import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './source-files.ts';
import { shortTitles, titlesWithoutSubject } from './test-titles.ts';

const files = globSync(['test/**/*.ts', 'packages/*/src/**/*.ts'], {
  cwd: root,
  exclude: (name) => name === 'dist' || name === 'node_modules',
});

/** Findings in all files of an area, each with the path of its file. */
const foundIn = (area: string, find: (text: string) => readonly string[]): readonly string[] =>
  files
    .filter((path) => areaOf(path) === area)
    .flatMap((path) => find(readFileSync(join(root, path), 'utf8')).map((each) => `${path}:${each}`));

/** The package of a file, or `test`. */
const areaOf = (path: string): string => path.replace(/^packages\//, '').replace(/\/.*/, '');

describe('test titles', () => {
  for (const area of [...new Set(files.map(areaOf))].sort())
    it(`tests of ${area} have titles with a subject and four words or more, and suites of two or more`, () => {
      const found = [...foundIn(area, shortTitles), ...foundIn(area, titlesWithoutSubject)];
      assert.equal(found.length, 0, found.join('\n'));
    });

  it('titles of three words, and suites of one, are reported with their line', () => {
    const text = [
      "describe('reads', () => {",
      "  it('lists all objects', run);",
      `  it(\`reads all of \${name}\`, run);`,
      "  it.skip('fails', run);",
      "  await t.test('one step', run);",
      '});',
    ].join('\n');
    assert.deepEqual(shortTitles(text), ['1: reads', '2: lists all objects', '4: fails', '5: one step']);
  });

  it('a title that begins with a verb, or continues the title of its suite, has no subject', () => {
    const text = [
      "describe('requests of users', () => {",
      "  it('are refused with the reason', run);",
      "  it('a request that is refused has a reason', run);",
      "  it('that cannot be read fail the start', run);",
      "  it('its requests are audited', run);",
      '});',
    ].join('\n');
    assert.deepEqual(titlesWithoutSubject(text), [
      '2: are refused with the reason',
      '4: that cannot be read fail the start',
      '5: its requests are audited',
    ]);
  });

  it('calls of other functions with a string are not taken for titles', () => {
    assert.deepEqual(
      shortTitles("edit('a');\ntext.split('b');\n/x/.test('c');\nconst text = `it('d')`;"),
      [],
    );
  });
});

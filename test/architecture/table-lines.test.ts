import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './source-files.ts';

/** The formatter gives all lines of a table the length of its longest row. */
const MAX_LENGTH = 200;

const pages = globSync(
  ['*.md', '{docs,test,bench,charts,deploy,examples,scripts}/**/*.md', 'packages/*/**/*.md'],
  { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' },
).sort();

const longLines = (page: string): number =>
  readFileSync(join(root, page), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && line.length > MAX_LENGTH).length;

describe('tables of the pages', () => {
  it(`no page has a table with a line of more than ${MAX_LENGTH} characters: lists hold longer rows`, () => {
    assert.deepEqual(
      pages.filter((page) => longLines(page) > 0),
      [],
    );
  });
});

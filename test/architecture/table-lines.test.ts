import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './source-files.ts';

/** The formatter gives all lines of a table the length of its longest row. */
const MAX_LENGTH = 200;

/** Pages whose tables are still longer. */
const longer: readonly string[] = [
  'charts/orch/README.md',
  'docs/admission.md',
  'docs/compatibility.md',
  'docs/controllers.md',
  'docs/designs/0009-files-of-the-embedded-store.md',
  'docs/flags-of-kube-apiserver.md',
  'docs/glossary.md',
  'docs/hardening.md',
  'docs/metrics.md',
  'docs/orchctl.md',
  'docs/performance.md',
  'docs/reliability.md',
  'packages/registry/README.md',
  'test/README.md',
];

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
      pages.filter((page) => longLines(page) > 0 && !longer.includes(page)),
      [],
    );
  });

  it('each page that may have longer tables has one', () => {
    assert.deepEqual(
      longer.filter((page) => longLines(page) === 0),
      [],
    );
  });
});

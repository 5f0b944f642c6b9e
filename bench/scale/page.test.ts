import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pageOf, plotsOf } from './page.ts';
import type { ScaleResults } from './results.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the page of scale', () => {
  const results = JSON.parse(read('bench/results/scale.json')) as ScaleResults;

  it('the page and its plots are those of the committed results: `scripts/node bench/scale/run.ts --page`', () => {
    assert.equal(read('docs/scale.md'), pageOf(results));
    for (const [name, plot] of Object.entries(plotsOf(results)))
      assert.equal(read(`docs/scale/${name}`), plot);
  });
});

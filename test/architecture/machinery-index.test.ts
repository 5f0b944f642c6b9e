import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { root } from './source-files.ts';

const MAX_NAMES = 100;

describe('the index of machinery', () => {
  it(`the index of machinery exports fewer than ${MAX_NAMES} names: each subject has an entry`, () => {
    const text = readFileSync(`${root}/packages/machinery/src/index.ts`, 'utf8');
    assert.doesNotMatch(text, /export \*/, 'names that are not listed cannot be counted');
    const names = [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, list]) =>
      (list ?? '').split(',').filter((name) => name.trim() !== ''),
    );
    assert.ok(names.length > 0, 'the names are found');
    assert.ok(names.length < MAX_NAMES, `${names.length} names`);
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { picturedViews } from './pictured-views.ts';

const root = join(import.meta.dirname, '../..');

describe('the pictures of the console', () => {
  it('each view has a picture in both color schemes, and there is no other one', () => {
    const expected = picturedViews.flatMap(({ name }) => [`${name}-dark.png`, `${name}-light.png`]);
    assert.deepEqual(readdirSync(join(root, 'docs/console')).sort(), expected.sort());
  });

  it('each page that shows no kind has a picture', () => {
    // Node does not import components.
    const tools = readFileSync(join(root, 'packages/console/src/pages/tools.ts'), 'utf8');
    const words = [...tools.matchAll(/word: '(~\w+)'/g)].map(([, word = '']) => word);
    assert.ok(words.length > 0);
    for (const word of words)
      assert.ok(
        picturedViews.some(({ fragment }) => fragment.startsWith(`#/${word}`)),
        word,
      );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serverWalks } from './server-walks.ts';

/**
 * The most files that a request may pass. Fold or move code before raising a number. A busy machine adds up to five, for work
 * that depends on time.
 */
const limits: Readonly<Record<string, number>> = {
  GET: 74 + 5,
  POST: 170,
  PUT: 175 + 5,
  'watch event, beyond POST': 7 + 5,
};

describe('the walk of a request through the source files', () => {
  it('a request passes at most the number of files that its limit says', async () => {
    const walks = await serverWalks();
    for (const [title, most] of Object.entries(limits)) {
      const walk = walks.find((one) => one.title === title)?.walk;
      assert.ok(walk, `no walk of ${title}`);
      const { size } = walk;
      assert.ok(size > 5, `${title} passes ${size} files`);
      assert.ok(size <= most, `${title} passes ${size} files; the limit is ${most}`);
    }
  });
});

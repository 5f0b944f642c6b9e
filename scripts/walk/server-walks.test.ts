import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run } from '@orch/testkit';

const program = join(import.meta.dirname, '..', 'request-walk.ts');
const TIMEOUT_MS = 120_000;

/**
 * The most files that a request may pass. Fold or move code before raising a number. A busy machine adds up to five, for work
 * that depends on time.
 */
const limits: Readonly<Record<string, number>> = {
  GET: 74 + 5,
  POST: 170 + 5,
  PUT: 175 + 5,
  'watch event, beyond POST': 7 + 5,
};

describe('the walk of a request through the source files', () => {
  it('a request passes at most the number of files that its limit says', async () => {
    // In a separate process, because this one loads packages from bundles.
    const { stdout, stderr } = await run(process.execPath, [program, '--coverage'], {
      timeoutMs: TIMEOUT_MS,
    });
    const rows = [...stdout.matchAll(/^\| (.+?) \| (\d+) \|/gm)];
    const sizes = new Map(rows.map(([, title = '', size]) => [title, Number(size)]));
    for (const [title, most] of Object.entries(limits)) {
      const size = sizes.get(title) ?? assert.fail(`no walk of ${title}: ${stdout}${stderr}`);
      assert.ok(size > 5, `${title} passes ${size} files`);
      assert.ok(size <= most, `${title} passes ${size} files; the limit is ${most}`);
    }
  });
});

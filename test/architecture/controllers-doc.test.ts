import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { allControllers } from '@orch/controllers';
import { root } from './source-files.ts';

describe('table of docs/controllers.md', () => {
  it('docs/controllers.md lists every controller with its service account and default', () => {
    const page = readFileSync(join(root, 'docs/controllers.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([^`]+)` *\|[^|]*\| ([^|]*?) *\| (yes|no) *\|/gm)].map(
      ([, name, account, on]) => ({ name, account: account?.replaceAll('`', ''), on }),
    );
    const expected = allControllers.map(({ name, serviceAccount, onByDefault }) => ({
      name,
      account: serviceAccount ?? "the manager's own identity",
      on: onByDefault ? 'yes' : 'no',
    }));
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }): number =>
      (a.name ?? '').localeCompare(b.name ?? '');
    assert.deepEqual(rows.sort(byName), expected.sort(byName));
  });
});

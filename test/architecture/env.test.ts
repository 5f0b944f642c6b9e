import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './source-files.ts';

describe('the lint bans on clock and chance', () => {
  for (const expression of [
    'Date.now()',
    'new Date()',
    'Math.random()',
    'performance.now()',
    'setTimeout(() => {}, 1)',
    'setInterval(() => {}, 1)',
    'process.hrtime.bigint()',
  ]) {
    it(`refuse ${expression} in a package`, () => {
      // Not `.ts`: the other checks of this folder read all of those at the same time.
      const path = join(root, 'packages/server/src', `lint-probe-${expression.replace(/\W+/g, '-')}.mts`);
      writeFileSync(path, `export const probe: unknown = ${expression};\n`);
      try {
        const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', path], {
          cwd: root,
          encoding: 'utf8',
        });
        assert.notEqual(status, 0, `biome accepted ${expression}: ${stdout}${stderr}`);
        assert.match(`${stdout}${stderr}`, /injected|Env/);
      } finally {
        rmSync(path, { force: true });
      }
    });
  }
});

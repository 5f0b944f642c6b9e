import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const here = import.meta.dirname;
const modules = readdirSync(here).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

describe('the modules of kinds', () => {
  it('the modules of kinds export types only, so that importing them costs nothing', async () => {
    const exported = await Promise.all(
      modules.map(async (name) =>
        Object.keys(await import(join(here, name))).map((key) => `${name}: ${key}`),
      ),
    );
    assert.ok(modules.length > 20);
    assert.deepEqual(exported.flat(), []);
  });
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './source-files.ts';

/** A declaration at the beginning of a line whose value consists of numbers, operators and names in upper case. */
const declaration =
  /^(?:export )?const ([A-Za-z]\w*)(?:: (?:number|bigint))? =\s+((?:[-+*/<>()\s]|\b\d[\w.]*\b|\b[A-Z][A-Z0-9_]+\b)+);$/gm;

/** Names of module-level numeric constants that are not written in SCREAMING_SNAKE_CASE. */
const misnamed = (text: string): readonly string[] =>
  [...text.matchAll(declaration)]
    .filter((match) => /\d|[A-Z]/.test(match[2] ?? ''))
    .map((match) => match[1] ?? '')
    .filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name));

describe('numeric constants of modules', () => {
  it('module-level numeric constants are named in SCREAMING_SNAKE_CASE', () => {
    const found = globSync(
      ['packages/*/{src,bench}/**/*.{ts,mts}', '{test,bench,scripts,examples}/**/*.ts'],
      {
        cwd: root,
        exclude: (name) => name === 'dist' || name === 'node_modules',
      },
    ).flatMap((path) => misnamed(readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`));
    assert.deepEqual(found, []);
  });

  it('numbers, products and powers under a camelCase name are reported', () => {
    const text = [
      'const limit = 10;',
      'export const waitMs: number = 60 * MINUTE_MS;',
      'const maxInt64 = 2n ** 63n - 1n;',
      'const pageBytes =\n  4 * 1024;',
    ].join('\n');
    assert.deepEqual(misnamed(text), ['limit', 'waitMs', 'maxInt64', 'pageBytes']);
  });

  it('constants in upper case, computed values and local variables are not reported', () => {
    const text = ['const LIMIT_MS = 10;', 'const size = sizeOf(10);', '  const local = 1;', 'let count = 0;'];
    assert.deepEqual(misnamed(text.join('\n')), []);
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '@orch/testkit';
import { root } from './source-files.ts';

const statements = (count: number): string => 'void 0;\n'.repeat(count);

const functionOf = (count: number): string => `export function long() {\n${statements(count - 2)}}\n`;

const withParameters = (count: number): string =>
  `export const call = (${Array.from({ length: count }, (_, i) => `p${i}: number`).join(', ')}) => [];\n`;

/** The report of the linter, with the rules of this project, about one file at `path`. */
function lintReport(path: string, text: string): string {
  using folder = temporaryFolder();
  for (const name of ['biome.json', 'lint'])
    cpSync(join(root, name), join(folder.path, name), { recursive: true });
  mkdirSync(dirname(join(folder.path, path)), { recursive: true });
  writeFileSync(join(folder.path, path), text);
  const { stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/biome'),
    ['lint', '--error-on-warnings', path],
    { cwd: folder.path, encoding: 'utf8' },
  );
  const output = `${stdout}${stderr}`;
  assert.match(output, /Checked 1 file/);
  return output;
}

describe('lint rules on clock and random numbers', () => {
  for (const expression of [
    'Date.now()',
    'new Date()',
    'Math.random()',
    'performance.now()',
    'setTimeout(() => {}, 1)',
    'setInterval(() => {}, 1)',
    'process.hrtime.bigint()',
  ])
    it(`the linter rejects ${expression} in the sources of a package`, () => {
      assert.match(
        lintReport('packages/example/src/probe.ts', `export const probe: unknown = ${expression};\n`),
        /injected|Env/,
      );
    });
});

describe('lint rules on size', () => {
  for (const [what, path, text, rule] of [
    [
      'a source file of 401 lines',
      'packages/example/src/long.ts',
      statements(401),
      'noExcessiveLinesPerFile',
    ],
    ['a source file of 400 lines', 'packages/example/src/long.ts', statements(400), undefined],
    [
      'a test file of 601 lines',
      'packages/example/src/a.test.ts',
      statements(601),
      'noExcessiveLinesPerFile',
    ],
    ['a test file of 600 lines', 'test/api/a.test.ts', statements(600), undefined],
    ['a generated file of 601 lines', 'packages/client/src/types/core.ts', statements(601), undefined],
    ['a function of 80 lines', 'packages/example/src/a.ts', functionOf(80), 'noExcessiveLinesPerFunction'],
    ['a function of 70 lines', 'packages/example/src/a.ts', functionOf(70), undefined],
    ['a function of 80 lines in a test', 'test/api/a.test.ts', functionOf(80), undefined],
    ['a function with five parameters', 'packages/example/src/a.ts', withParameters(5), 'useMaxParams'],
    ['a test function with five parameters', 'test/api/a.test.ts', withParameters(5), 'useMaxParams'],
    ['a function with four parameters', 'packages/example/src/a.ts', withParameters(4), undefined],
  ] as const)
    it(`the linter ${rule === undefined ? 'accepts' : 'rejects'} ${what}`, () => {
      const report = lintReport(path, text);
      if (rule === undefined) assert.doesNotMatch(report, /noExcessiveLines|useMaxParams/);
      else assert.match(report, new RegExp(rule));
    });
});

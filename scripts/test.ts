/**
 * Runs the suite: `scripts/node scripts/test.ts [path or glob …]`. Exits non-zero when a test failed or none ran.
 */
import { spawn } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const suites = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'];

function filesOf(patterns: readonly string[]): string[] {
  const globs = patterns.map((p) =>
    statSync(join(root, p), { throwIfNoEntry: false })?.isDirectory() ? `${p}/**/*.test.ts` : p,
  );
  const found = globSync(globs, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' });
  // The longest suites run first, so that all cores are used until the end.
  return found.sort(
    (a, b) => Number(b.startsWith('test/')) - Number(a.startsWith('test/')) || a.localeCompare(b),
  );
}

const asked = process.argv.slice(2);
const files = filesOf(asked.length > 0 ? asked : suites);
if (files.length === 0) {
  console.error(`no test files match ${asked.join(' ')}`);
  process.exit(1);
}
// Every file is a process that loads hundreds of modules: they share a compile cache.
const compileCache = join(root, 'node_modules/.cache/compile');
const child = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--import=./scripts/test-seed.ts',
    '--test',
    '--test-concurrency=2',
    '--test-timeout=180000',
    '--test-reporter=./scripts/test-reporter.ts',
    '--test-reporter-destination=stdout',
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env: { NODE_COMPILE_CACHE: compileCache, ...process.env } },
);
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));

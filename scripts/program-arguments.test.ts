import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '..');

/** The programs that the Makefile passes `ARGS` to. */
const programs = [
  ...new Set(
    [
      ...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(
        /\$\(NODE\)[^\n]*? (\S+\.ts)[^\n]*\$\((?:ARGS|or \$\(ARGS\))/g,
      ),
    ].map(([, program = '']) => program),
  ),
];

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (program: string, argument: string): Promise<Ended> =>
  new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', join(root, program), argument];
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });

describe('arguments of the programs of the Makefile', () => {
  it('there are programs with arguments', () => {
    assert.ok(programs.length >= 8, programs.join(', '));
  });
  for (const program of programs) {
    it(`${program} --help prints the usage`, async () => {
      const { status, stdout, stderr } = await run(program, '--help');
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
      assert.match(stdout, /^(make|scripts\/node) /);
    });
    it(`${program} refuses an unknown option in one line`, async () => {
      const { status, stdout, stderr } = await run(program, '--no-such-option');
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /^Unknown option '--no-such-option'; see --help\n$/);
    });
  }
});

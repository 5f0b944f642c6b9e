import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { capturedRun } from '@orch/program/testing';
import { apiServerProgram } from './api-server-program.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'orch-apiserver');
const work = mkdtempSync(join(tmpdir(), 'orch-program-'));
after(() => rmSync(work, { recursive: true }));

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built program; `during` is called once the process has printed to a stream. */
async function run(
  argv: readonly string[],
  during?: (child: ChildProcess) => void,
  on: 'stdout' | 'stderr' = 'stdout',
): Promise<Outcome> {
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      if (text[name] === '' && name === on) during?.(child);
      text[name] += chunk;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: text.stdout, err: text.stderr };
}

/** Runs the program in this process, with a command line with which it does not start. */
const runHere = (argv: readonly string[]) =>
  capturedRun(
    apiServerProgram(() => assert.fail('the server started')),
    argv,
  );

const serving = (name: string, ...argv: string[]) => [
  '--secure-port=0',
  '--bind-address=127.0.0.1',
  `--cert-dir=${join(work, name, 'certs')}`,
  `--data-dir=${join(work, name, 'data')}`,
  ...argv,
];

describe('the API server program', () => {
  it('the API server program prints help and version and exits with 0', async () => {
    const help = await run(['--help']);
    assert.deepEqual([help.code, help.err], [0, '']);
    assert.match(help.out, /^ +APIListChunking=true\|false \(BETA - default=true\)$/m);
    assert.match(help.out, /^Usage: orch-apiserver \[flags\]\n[\s\S]*--etcd-servers strings\n/);
    const version = await runHere(['--version']);
    assert.deepEqual([version.code, version.err], [0, '']);
    assert.match(version.out, /^orch-apiserver \S+\n$/);
  });

  for (const [what, argv, message] of [
    ['an unknown flag', ['--nonsense'], 'unknown flag: --nonsense'],
    ['a bad value', ['--secure-port=x'], 'invalid value "x" for --secure-port: must be an integer'],
    [
      'flags that contradict each other',
      ['--storage-backend=etcd'],
      '--storage-backend=etcd needs --etcd-servers',
    ],
  ] as const) {
    it(`the API server program reports ${what} in one line and exits with 2`, async () => {
      assert.deepEqual(await runHere(argv), { code: 2, out: '', err: `orch-apiserver: ${message}\n` });
    });
  }

  it('the API server program reports the cause of a failed start and exits with 1', async () => {
    const { code, out, err } = await run(serving('a', '--token-auth-file=/nonexistent'));
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^orch-apiserver: --token-auth-file: ENOENT[^\n]*\n$/);
  });

  it('the program retries to connect to etcd, and stops cleanly meanwhile', async () => {
    const argv = serving('e', '--etcd-servers=http://127.0.0.1:1');
    const { code, out, err } = await run(argv, (child) => child.kill('SIGTERM'), 'stderr');
    assert.deepEqual([code, out], [0, '']);
    assert.match(
      err,
      /cannot connect to etcd.*nothing accepts connections there: start etcd, or correct --etcd-servers/,
    );
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`the API server program prints its address, and stops cleanly on ${signal}`, async () => {
      const { code, out } = await run(serving('b'), (child) => child.kill(signal));
      assert.equal(code, 0);
      assert.match(
        out,
        /^serving on https:\/\/127\.0\.0\.1:\d+\nadmin client configuration: .*admin\.conf\n$/,
      );
    });
  }

  it('the API server program stops at once on a second signal', async () => {
    const { code, err } = await run(serving('c', '--shutdown-delay-duration=1h'), (child) => {
      child.kill('SIGTERM');
      child.stderr?.once('data', () => child.kill('SIGTERM'));
    });
    assert.equal(code, 1);
    assert.match(err, /second SIGTERM: stopping at once/);
  });
});

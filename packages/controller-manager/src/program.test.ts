import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { capturedRun } from '@orch/program/testing';
import { controllerManagerProgram } from './controller-manager-program.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'orch-controller-manager');
const work = mkdtempSync(join(tmpdir(), 'orch-manager-program-'));
after(() => rmSync(work, { recursive: true }));

const file = (name: string, content: string): string => {
  const path = join(work, name);
  writeFileSync(path, content);
  return path;
};

const config = (user: object, cluster: object = { server: 'https://127.0.0.1:1' }): string =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster }],
    users: [{ name: 'u', user }],
  });

/** A client configuration without a server behind it. */
const away = file('away.conf', config({ token: 's3cret' }));

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the built program; `during` may act on the process once it has printed something on a stream. */
async function run(
  argv: readonly string[],
  during?: (child: ChildProcess, printed: string) => unknown,
  on: 'stdout' | 'stderr' = 'stdout',
): Promise<Outcome> {
  const child = spawn(program, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] },
    // A failing test leaves no process.
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      if (text[name] === '' && name === on) during?.(child, String(chunk));
      text[name] += chunk;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out: text.stdout, err: text.stderr };
}

/** Runs the program in this process, with a command line with which it does not start. */
const runHere = (argv: readonly string[]) => capturedRun(controllerManagerProgram(), argv);

describe('the controller manager program', { timeout: 170_000 }, () => {
  it('the controller manager prints help and version and exits with 0', async () => {
    const help = await run(['--help']);
    assert.deepEqual([help.code, help.err], [0, '']);
    assert.match(help.out, /^Usage: orch-controller-manager \[flags\]\n[\s\S]*--controllers strings\n/);
    const version = await runHere(['--version']);
    assert.deepEqual([version.code, version.err], [0, '']);
    assert.match(version.out, /^orch-controller-manager \S+\n$/);
  });

  for (const [what, argv, message] of [
    ['an unknown flag', ['--nonsense'], 'unknown flag: --nonsense'],
    [
      'a bad value',
      ['--concurrent-gc-syncs=x'],
      'invalid value "x" for --concurrent-gc-syncs: must be an integer',
    ],
    [
      'flags that contradict each other',
      ['--leader-elect-renew-deadline=20s'],
      '--leader-elect-renew-deadline must be less than --leader-elect-lease-duration',
    ],
  ] as const) {
    it(`the controller manager reports ${what} on one line and exits with 2`, async () => {
      assert.deepEqual(await runHere(argv), {
        code: 2,
        out: '',
        err: `orch-controller-manager: ${message}\n`,
      });
    });
  }

  for (const [what, argv, message] of [
    ['no configuration outside of a cluster', [], /--client-config is needed: this is not a pod/],
    [
      'a configuration that is not there',
      ['--client-config=/nonexistent'],
      /--client-config \/nonexistent: there is no such file/,
    ],
    [
      'a configuration that is none',
      [`--kubeconfig=${file('list.conf', '[]')}`],
      /--client-config .*list\.conf: expected an object/,
    ],
    [
      'a context that is not there',
      [`--client-config=${file('no-context.conf', '{"current-context": "x"}')}`],
      /no-context\.conf: current-context: there is no context named "x"/,
    ],
    [
      'a certificate without a key',
      [`--client-config=${file('half.conf', config({ 'client-certificate-data': 'eA==' }))}`],
      /half\.conf: .*client-key/,
    ],
    [
      'a token file that is not there',
      [`--client-config=${file('token.conf', config({ tokenFile: 'absent' }))}`],
      /token\.conf: .*tokenFile: cannot be read: ENOENT.*absent/,
    ],
    [
      'a key that cannot be read',
      [`--client-config=${away}`, `--service-account-private-key-file=${away}`],
      /--service-account-private-key-file .*away\.conf: it contains no private key/,
    ],
    [
      'an ops port that is not ours',
      [`--client-config=${away}`, '--ops-bind-address=192.0.2.1:80'],
      /cannot serve on --ops-bind-address 192\.0\.2\.1:80: /,
    ],
  ] as const) {
    it(`the controller manager reports the cause of a failed start, ${what}, and exits with 1`, async () => {
      const { code, out, err } = await runHere(argv);
      assert.deepEqual([code, out], [1, ''], err);
      assert.match(err, /^orch-controller-manager: [^\n]*\n$/);
      assert.match(err, message);
      assert.doesNotMatch(err, /s3cret|eA==/);
    });
  }

  it('the controller manager reads flags from a file', async () => {
    const flags = file('flags.yaml', 'controllers: [nonsense]\n');
    const { code, err } = await runHere([`--config=${flags}`]);
    assert.equal(code, 2);
    assert.match(err, /invalid value "nonsense" for --controllers: must be \*, or one of namespace, /);
  });

  for (const argv of [['--leader-elect=false'], ['--leader-elect=true']]) {
    it(`the controller manager waits for its server, and stops cleanly meanwhile (${argv})`, async () => {
      const { code, out, err } = await run(
        [`--client-config=${away}`, ...argv],
        (child) => child.kill('SIGTERM'),
        'stderr',
      );
      assert.deepEqual([code, out], [0, ''], err);
      assert.match(err, /waiting for the API server|cannot acquire the Lease/);
      assert.doesNotMatch(err, /s3cret/);
    });
  }

  it('the controller manager prints the address of health and metrics while it waits', async () => {
    let healthy = '';
    const { code, out } = await run(
      [`--client-config=${away}`, '--ops-bind-address=127.0.0.1:0'],
      async (child, line) => {
        const url = /http:\S+/.exec(line)?.[0] ?? '';
        healthy = await (await fetch(`${url}/healthz?verbose`)).text();
        child.kill('SIGTERM');
      },
    );
    assert.equal(code, 0);
    assert.match(out, /^health and metrics on http:\/\/127\.0\.0\.1:\d+\n$/);
    assert.match(healthy, /\[\+\]leaderElection ok\n\[\+\]namespace ok\n[\s\S]*healthz check passed/);
  });
});

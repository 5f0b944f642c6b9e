import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { systemClock } from '@orch/machinery/env';
import { FakeClock, until } from '@orch/machinery/testing';
import { files } from '../../config/testing/files.ts';
import { CredentialError } from '../credential-error.ts';
import { MAX_OUTPUT_BYTES, type PluginRun, runPlugin } from './run-plugin.ts';

const runOf = (body: string, changes: Partial<PluginRun> = {}): PluginRun => ({
  command: process.execPath,
  args: ['-e', body, 's3cret'],
  environment: { PASSWORD: 's3cret' },
  isInteractive: false,
  timeoutMs: 60_000,
  clock: systemClock,
  ...changes,
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('runs of credential plugins', () => {
  it('a plugin run resolves with the output, in any number of chunks', async () => {
    const body = `process.stdout.write('a'.repeat(200000), () => process.stdout.write('ü'));`;
    assert.equal(Buffer.from(await runPlugin(runOf(body))).toString(), `${'a'.repeat(200000)}ü`);
  });

  it('a plugin run leaves no timers', async () => {
    const clock = new FakeClock();
    await runPlugin(runOf('', { clock }));
    await assert.rejects(runPlugin(runOf('process.exit(1)', { clock })), CredentialError);
    await assert.rejects(runPlugin(runOf('', { clock, command: '/nowhere/s' })), CredentialError);
    assert.equal(clock.pending, 0);
  });

  const tooLong = `process.stdout.write('s3cret'.repeat(${MAX_OUTPUT_BYTES}));`;
  for (const [title, run, problem] of [
    [
      'the program does not exist, with the hint of the configuration',
      { command: 'orch-no-such-login', installHint: 'Get it at https://login.test.\nThen try again.' },
      'orch-no-such-login cannot be started: there is no such program\n\nGet it at https://login.test.\nThen try again.',
    ],
    [
      'the program does not exist',
      { command: '/nowhere/login' },
      '/nowhere/login cannot be started: there is no such program',
    ],
    [
      'the file is not executable',
      { command: import.meta.filename, installHint: 'is not shown' },
      `${import.meta.filename} cannot be started: EACCES`,
    ],
    [
      'an argument is too long for the system',
      { args: ['s3cret'.repeat(100_000)] },
      `${process.execPath} cannot be started: E2BIG`,
    ],
    [
      'the plugin fails',
      { args: ['-e', 'console.log("s3cret"); process.exit(7)'] },
      `${process.execPath} has failed with exit status 7`,
    ],
    [
      'the plugin is killed',
      { args: ['-e', 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000)'] },
      `${process.execPath} was ended by SIGKILL`,
    ],
    [
      'the output is too large',
      { args: ['-e', tooLong] },
      `${process.execPath} has printed more than ${MAX_OUTPUT_BYTES} bytes`,
    ],
  ] as const satisfies readonly (readonly [string, Partial<PluginRun>, string])[])
    it(`a plugin run fails without a secret in the error when ${title}`, async () => {
      await assert.rejects(runPlugin(runOf('', run)), (error: Error) => {
        assert.ok(error instanceof CredentialError);
        assert.equal(error.message, `exec plugin ${problem}`);
        // Errors of the runtime contain the arguments.
        assert.ok(!inspect(error, { depth: 9 }).includes('s3cret'.repeat(2)));
        assert.ok(!inspect(error, { depth: 9 }).includes("'s3cret'"));
        return true;
      });
    });

  it('a plugin run fails when this process has too many open files', () => {
    const module = (name: string): string => JSON.stringify(import.meta.resolve(name));
    const program = `import { openSync } from 'node:fs';
      import { systemClock } from ${module('@orch/machinery/env')};
      import { runPlugin } from ${module('./run-plugin.ts')};
      const run = { command: process.execPath, args: [], environment: {}, isInteractive: false, timeoutMs: 1000, clock: systemClock };
      try { for (;;) openSync('/dev/null', 'r'); } catch {}
      runPlugin(run).catch((error) => console.log(String(error)));`;
    const limited = [
      '-c',
      'ulimit -n 64 && exec "$0" "$@"',
      process.execPath,
      '--input-type=module',
      '-e',
      program,
    ];
    const { stdout } = spawnSync('/bin/sh', limited, { encoding: 'utf8' });
    assert.equal(stdout, `CredentialError: exec plugin ${process.execPath} cannot be started: EMFILE\n`);
  });

  it('a plugin is searched in PATH, and can be a script', async () => {
    using held = files({ 'orch-login': '#!/bin/sh\nprintf "$1 $NAME"\n' });
    chmodSync(held.path('orch-login'), 0o755);
    const environment = { PATH: `/nowhere:${held.folder}:/usr/bin:/bin`, NAME: 'there' };
    const output = await runPlugin(runOf('', { command: 'orch-login', args: ['hello'], environment }));
    assert.equal(Buffer.from(output).toString(), 'hello there');
  });

  it('a plugin is terminated at its deadline, first by a request and then by force', async () => {
    using held = files();
    const pidFile = held.path('pid');
    const clock = new FakeClock();
    const body = `process.on('SIGTERM', () => require('node:fs').writeFileSync(${JSON.stringify(held.path('terminated'))}, ''));
      setInterval(() => {}, 1000);
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));`;
    const running = runPlugin(runOf(body, { clock, timeoutMs: 90_000 }));
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    clock.advance(89_999);
    assert.ok(isRunning(pid));
    clock.advance(1);
    await assert.rejects(
      running,
      new CredentialError(`exec plugin ${process.execPath} has not ended within 1m30s`),
    );
    await until(() => existsSync(held.path('terminated')));
    assert.ok(isRunning(pid));
    clock.advance(2000);
    await until(() => !isRunning(pid));
    await until(() => clock.pending === 0);
  });

  it('a plugin run does not wait for child processes that keep the output open', async () => {
    const body = `const { spawn } = require('node:child_process');
      const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
      process.stdout.write(String(left.pid), () => process.exit(0));`;
    const pid = Number(Buffer.from(await runPlugin(runOf(body))).toString());
    assert.ok(isRunning(pid));
    process.kill(pid, 'SIGKILL');
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemClock } from '@orch/machinery/env';
import { testEnv } from '@orch/machinery/testing';
import { tryFileLock, withFileLock } from './file-lock.ts';

const never = new AbortController().signal;
let dir = '';
let path = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orch-lock-'));
  path = join(dir, 'sub', '.lock');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs a script with the lock's module as `locks` and the path of the file as `path`. */
function program(text: string): ReturnType<typeof spawn> {
  const begin = `const locks = await import(${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))});
const path = ${JSON.stringify(path)};\n`;
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module'];
  return spawn(process.execPath, [...flags, '-e', begin + text], { stdio: ['ignore', 'pipe', 'inherit'] });
}

describe('the lock of a file', { timeout: 60_000 }, () => {
  it('the lock of a file has one holder at a time, also within a process', () => {
    const first = tryFileLock(path);
    assert.ok(first !== undefined);
    assert.equal(tryFileLock(path), undefined);
    first[Symbol.dispose]();
    using second = tryFileLock(path);
    assert.ok(second !== undefined);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('the lock of a file has one holder at a time where the runtime has no SQLite, such as Node 20', async () => {
    const holder = program(`const module = process.getBuiltinModule;
process.getBuiltinModule = (name) => (name === 'node:sqlite' ? undefined : module(name));
const first = locks.tryFileLock(path);
const second = locks.tryFileLock(path);
first[Symbol.dispose]();
const third = locks.tryFileLock(path);
console.log(second, third?.path === path);`);
    assert.ok(holder.stdout !== null);
    assert.equal(String((await once(holder.stdout, 'data'))[0]), 'undefined true\n');
    await once(holder, 'close');
  });

  it('the lock of a file is released when its holder is killed', async () => {
    const holder = program(`const lock = locks.tryFileLock(path);
console.log(lock === undefined ? 'none' : 'held');
setInterval(() => lock, 1000);`);
    assert.ok(holder.stdout !== null);
    assert.equal(String((await once(holder.stdout, 'data'))[0]), 'held\n');
    assert.equal(tryFileLock(path), undefined);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    using lock = tryFileLock(path);
    assert.ok(lock !== undefined);
  });

  for (const [what, seconds] of [
    ['is in the future', 1e6],
    ['is now', 0],
    ['is old', -1e6],
  ] as const)
    it(`the lock of a file is free when there is a file whose time ${what}`, () => {
      rmSync(dir, { recursive: true });
      tryFileLock(path)?.[Symbol.dispose]();
      writeFileSync(path, '');
      const time = systemClock.now() / 1000 + seconds;
      utimesSync(path, time, time);
      using lock = tryFileLock(path);
      assert.ok(lock !== undefined);
    });

  it('the lock of a file lets only one of many processes work at a time', async () => {
    const work = join(dir, 'working');
    const done = join(dir, 'done');
    // Two concurrent processes would find each other's file.
    const text = `import { existsSync, rmSync, writeFileSync, appendFileSync } from 'node:fs';
const env = { log: { info() {} }, clock: { monotonic: () => performance.now(), scheduleAwaited(ms, act) {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
} } };
for (let i = 0; i < 20; i++)
  await locks.withFileLock(path, env, new AbortController().signal, () => {
    const isAlone = !existsSync(${JSON.stringify(work)});
    writeFileSync(${JSON.stringify(work)}, '');
    for (const end = performance.now() + 2; performance.now() < end; );
    rmSync(${JSON.stringify(work)}, { force: true });
    appendFileSync(${JSON.stringify(done)}, isAlone ? 'alone\\n' : 'not alone\\n');
  });`;
    await Promise.all(Array.from({ length: 8 }, () => once(program(text), 'close')));
    const lines = readFileSync(done, 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      lines,
      Array.from({ length: 160 }, () => 'alone'),
    );
    assert.ok(!existsSync(work));
  });

  it('the lock of a file logs a wait, and stops waiting when the signal aborts', async () => {
    const env = testEnv();
    using held = tryFileLock(path);
    assert.ok(held !== undefined);
    const stop = new AbortController();
    const waiting = withFileLock(path, env, stop.signal, () => appendFileSync(join(dir, 'worked'), ''));
    await env.clock.advanceAsync(1_500);
    assert.deepEqual(
      env.entries.map((entry) => entry['path']),
      [path],
    );
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /^Error: stopped$/);
    assert.ok(!existsSync(join(dir, 'worked')));
  });

  it('the lock of a file is released when the work fails', async () => {
    const fail = (): never => {
      throw new Error('no');
    };
    await assert.rejects(withFileLock(path, testEnv(), never, fail), /^Error: no$/);
    using lock = tryFileLock(path);
    assert.ok(lock !== undefined);
  });
});

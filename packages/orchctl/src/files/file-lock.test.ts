import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { systemClock } from '@orch/machinery/env';
import { CommandError } from '../command-error.ts';
import { withFileLock } from './file-lock.ts';

describe('lock files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-lock-'));
  const path = join(folder, 'lock');
  const env = { clock: systemClock };
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(() => rmSync(path, { force: true }));

  it('work under a lock file runs one after the other, and the file is gone afterwards, also after a failure', async () => {
    let [running, most] = [0, 0];
    const work = async (): Promise<void> => {
      most = Math.max(most, ++running);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    const runs = [1, 2, 3].map(() => withFileLock(path, { env, waitMs: 30_000 }, work));
    await Promise.all(runs);
    assert.equal(most, 1);
    const failure = new Error('of the work');
    await assert.rejects(
      withFileLock(path, { env, waitMs: 0 }, () => Promise.reject(failure)),
      failure,
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  it('a lock file that another process keeps is an error after the wait, and stays', async () => {
    writeFileSync(path, '');
    await assert.rejects(
      withFileLock(path, { env, waitMs: 0, staleMs: 60_000 }, () => assert.fail()),
      (error) => error instanceof CommandError && error.message.startsWith(`${path} exists: another process`),
    );
    assert.ok(existsSync(path));
  });

  it('the lock file of a process that ended is taken over once it is stale', async () => {
    writeFileSync(path, '');
    const past = (systemClock.now() - 61_000) / 1000;
    utimesSync(path, past, past);
    assert.equal(await withFileLock(path, { env, waitMs: 0, staleMs: 60_000 }, () => 'done'), 'done');
    assert.deepEqual(readdirSync(folder), []);
  });
});

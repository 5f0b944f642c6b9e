import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { openEmbeddedStore } from '@orch/storage/embedded';
import { type TempDir, tempDir } from '@orch/storage/testing';
import { launchServer, start } from '@orch/testkit';
import { noTerminal, plain, programInTerminal, type TerminalSession } from '../orchctl/terminal-session.ts';
import { orch, orchProgram } from './orch-command.ts';

const KEYS = 8_000;
const CTRL_C = '\u0003';
const { signal } = new AbortController();
const skip = await noTerminal();

async function filledStore(dir: string): Promise<void> {
  const env = { clock: systemClock, random: systemRandom, log: silentLogger };
  const store = await openEmbeddedStore({ dir, env });
  const commits = Array.from({ length: KEYS }, (_, i) =>
    store.commit({ op: 'create', key: `/registry/maps/${i}`, value: randomBytes(2000) }, signal),
  );
  await Promise.all(commits);
  await store.close();
}

const onTerminal = async (argv: readonly string[], keys: TerminalSession['keys'] = []) => {
  const { out, status } = await programInTerminal([orchProgram, ...argv], { columns: 120, keys });
  return { text: plain(out), status };
};

/** A bar that has begun. */
const bar = (title: string, unit = 'keys'): RegExp =>
  new RegExp(`\\r${title} \\[[#.]{24}\\] \\d+% \\d+ ${unit}`);

describe('commands about backups on a terminal', { skip, timeout: 120_000 }, () => {
  let work: TempDir;
  let source: string;
  before(async () => {
    work = await tempDir('orch-terminal-');
    source = `--data-dir=${join(work.path, 'source')}`;
    await filledStore(join(work.path, 'source'));
  });
  after(() => work[Symbol.asyncDispose]());

  it('backup, its verification and restore show bars, can be interrupted while they do, and are begun again', async () => {
    const file = join(work.path, 'backup');
    const target = `--data-dir=${join(work.path, 'target')}`;
    const cut = await onTerminal(['backup', file, source], [['backup [', CTRL_C]]);
    assert.equal(cut.status, 1);
    assert.match(cut.text, /the backup was interrupted; nothing was written: run it again/);
    assert.ok(!existsSync(file) && !readdirSync(work.path).includes('backup.partial'));
    const made = await onTerminal(['backup', file, source]);
    assert.equal(made.status, 0);
    assert.match(made.text, bar('backup'));
    assert.match(made.text, new RegExp(`backup [0-9a-f]{32}: ${KEYS} keys at revision`));
    const verified = await onTerminal(['backup', 'verify', file]);
    assert.equal(verified.status, 0);
    assert.match(verified.text, bar('checking', 'bytes'));
    const half = await onTerminal(['restore', file, target], [['restore [', CTRL_C]]);
    assert.equal(half.status, 1);
    assert.match(half.text, /the restore was interrupted; run it again with the same file to continue/);
    const whole = await onTerminal(['restore', file, target]);
    assert.equal(whole.status, 0);
    assert.match(whole.text, bar('restore'));
    const [, created, equal] = /: (\d+) keys created, .* (\d+) unchanged/.exec(whole.text) ?? [];
    assert.equal(Number(created) + Number(equal), KEYS);
    assert.ok(Number(equal) > 0);
  });

  it('a backup that was killed leaves a file that the next one replaces', async () => {
    const file = join(work.path, 'killed');
    const killed = start(orchProgram, ['backup', file, source]);
    while (!existsSync(`${file}.partial`)) await new Promise((resolve) => setTimeout(resolve, 1));
    await killed.stop('SIGKILL');
    assert.ok(!existsSync(file));
    assert.equal((await orch(['backup', file, source])).code, 0);
    assert.equal((await orch(['backup', 'verify', file])).code, 0);
    assert.ok(!existsSync(`${file}.partial`));
  });

  it('backup through a server and migrate show bars, and an interrupted migration is begun again', async () => {
    const file = join(work.path, 'target.yaml');
    const other = join(work.path, 'other');
    writeFileSync(file, JSON.stringify({ 'storage-backend': 'embedded', 'data-dir': other }));
    await using server = await launchServer({
      dataDir: join(work.path, 'source'),
      args: [`--migration-target-file=${file}`],
    });
    const client = `--client-config=${server.adminConfig}`;
    const made = await onTerminal(['backup', join(work.path, 'served'), client]);
    assert.equal(made.status, 0);
    assert.match(made.text, bar('backup'));
    const cut = await onTerminal(['migrate', client], [['copying [', CTRL_C]]);
    assert.equal(cut.status, 1);
    assert.match(
      cut.text,
      /the migration was interrupted; servers continue with the store that they use: run it again/,
    );
    const moved = await onTerminal(['migrate', client]);
    assert.equal(moved.status, 0, moved.text);
    assert.match(moved.text, bar('copying'));
    assert.match(moved.text, /moved \d+ keys from the embedded store in .* to the embedded store in /);
  });
});

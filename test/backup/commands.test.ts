import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { seededRandom } from '@orch/machinery/testing';
import { prefixRange, readable, type Store } from '@orch/storage';
import { openEmbeddedStore } from '@orch/storage/embedded';
import { openEtcdStore } from '@orch/storage/etcd';
import { type EtcdCluster, startEtcd, type TempDir, tempDir } from '@orch/storage/testing';
import { launchServer, run, start } from '@orch/testkit';
import { orch, orchProgram } from './orch-command.ts';

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const env = { clock: systemClock, random: systemRandom, log: silentLogger };
const { signal } = new AbortController();
const range = prefixRange('/registry/');

async function contentOf(store: Store): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for await (const { items } of store.scan(range, {}, signal))
    for (const kv of items) found[kv.key] = readable(kv).value.toString('base64');
  return found;
}

/** A folder with an embedded store of some thousand keys, and a backup of it. */
async function backedUpFolder(path: string, keys: number) {
  const store = await openEmbeddedStore({ dir: join(path, 'source'), env });
  await Promise.all(
    Array.from({ length: keys }, (_, i) =>
      store.commit({ op: 'create', key: `/registry/maps/${i}`, value: randomBytes(200) }, signal),
    ),
  );
  const content = await contentOf(store);
  await store.close();
  const file = join(path, 'backup');
  const dir = join(path, 'source');
  const source = `--data-dir=${dir}`;
  const made = await orch(['backup', file, source]);
  assert.deepEqual([made.code, made.stderr], [0, '']);
  return { file, dir, source, content };
}

describe('the commands about backups', { timeout: 300_000 }, () => {
  let work: TempDir;
  let etcd: EtcdCluster;
  let small: Awaited<ReturnType<typeof backedUpFolder>>;
  before(async () => {
    [work, etcd] = await Promise.all([tempDir('orch-backup-'), startEtcd()]);
    small = await backedUpFolder(join(work.path, 'small'), 50);
  });
  after(() => Promise.all([work[Symbol.asyncDispose](), etcd[Symbol.asyncDispose]()]));

  it(`orch restore that is killed at any time and repeated restores the whole backup, seed ${SEED}`, async () => {
    const folder = join(work.path, 'killed');
    const { file, content } = await backedUpFolder(folder, 8000);
    const random = seededRandom(SEED);
    const target = `--etcd-servers=${etcd.endpoints.join(',')}`;
    let kills = 0;
    for (let finished = false; !finished && kills < 30; ) {
      const process = start(orchProgram, ['restore', file, target, '--output=json']);
      await using store = await openedEtcd(etcd);
      // The first kills interrupt the restore for certain: it has written something, and not yet everything.
      if (kills < 2) {
        const goal = (await store.count()) + 200 + random.int(1000);
        while ((await store.count()) < goal && process.child.exitCode === null);
        await process.stop('SIGKILL');
        kills++;
        const refused = await run(orchProgram.replace(/orch$/, 'orch-apiserver'), [
          target,
          `--cert-dir=${folder}`,
        ]);
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, /a restore of backup \w+ has not ended: run "orch restore" again/);
        continue;
      }
      const match = await process.waitFor(/\{.*"revision":.*\}\n/, 30_000);
      const report = JSON.parse(match[0]) as { readonly created: number; readonly unchanged: number };
      assert.equal(report.created + report.unchanged, 8000);
      assert.ok(report.unchanged > 0);
      finished = true;
      assert.deepEqual(await contentOf(store.store), content);
    }
    assert.ok(kills >= 2);
  });

  it('orch backup encrypts a file when asked, which is read only with its secret, from a file or the environment', async () => {
    const { source, content } = small;
    const passphrase = join(work.path, 'passphrase');
    const key = join(work.path, 'key');
    writeFileSync(passphrase, 'correct horse\n');
    writeFileSync(key, `${randomBytes(32).toString('base64')}\n`);
    const file = join(work.path, 'with-passphrase');
    const target = join(work.path, 'decrypted');
    assert.equal((await orch(['backup', file, source, `--passphrase-file=${passphrase}`])).code, 0);
    const without = await orch(['restore', file, `--data-dir=${target}`]);
    assert.equal(without.code, 1);
    assert.match(without.stderr, /^orch restore: \S+: the backup is encrypted: its passphrase is needed\n$/);
    assert.ok(!existsSync(target), 'a restore without the secret has created a store');
    const variable = { ORCH_BACKUP_PASSPHRASE: 'correct horse' };
    assert.equal((await orch(['restore', file, `--data-dir=${target}`], { env: variable })).code, 0);
    const store = await openEmbeddedStore({ dir: target, env });
    assert.deepEqual(await contentOf(store), content);
    await store.close();

    const other = join(work.path, 'with-key');
    assert.equal((await orch(['backup', other, source, `--key-file=${key}`])).code, 0);
    const verified = await orch(['backup', 'verify', other, `--key-file=${key}`]);
    assert.deepEqual([verified.code, JSON.parse(verified.stdout).isEncrypted], [0, true]);
  });

  it('orch restore of a damaged backup, or into a store with content, changes nothing', async () => {
    const { file, source, content } = small;
    const damaged = join(work.path, 'damaged');
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(damaged, bytes);
    const empty = join(work.path, 'empty');
    const refused = await orch(['restore', damaged, `--data-dir=${empty}`]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^orch restore: \S+damaged: the backup is damaged: frame \d+ was changed\n$/,
    );
    assert.ok(!existsSync(empty));
    const full = await orch(['restore', file, source]);
    assert.equal(full.code, 1);
    assert.match(full.stderr, /the store already has 50 keys: --replace deletes them\n$/);
    const store = await openEmbeddedStore({ dir: small.dir, env });
    assert.deepEqual(await contentOf(store), content);
    await store.close();
  });

  it('orch backup overwrites no file, leaves none behind when it fails, and writes to standard output', async () => {
    const { file, source } = small;
    const again = await orch(['backup', file, source]);
    assert.deepEqual([again.code, again.stderr], [1, `orch backup: the file ${file} already exists\n`]);
    const missing = join(work.path, 'no', 'such');
    const unmade = await orch(['backup', join(missing, 'file'), source]);
    assert.deepEqual(
      [unmade.code, unmade.stderr],
      [1, `orch backup: the folder ${missing} does not exist\n`],
    );
    assert.deepEqual(readdirSync(join(work.path, 'small')).sort(), ['backup', 'source']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const copy = join(work.path, 'copy');
    const piped = await run('/bin/sh', ['-c', `"${orchProgram}" backup - "${source}" > "${copy}"`]);
    assert.deepEqual([piped.code, JSON.parse(piped.stderr).entries], [0, 50]);
    assert.equal((await orch(['backup', 'verify', copy])).code, 0);
  });

  it('orch backup makes no backup of a store that does not exist, and warns about one without objects', async () => {
    const missing = join(work.path, 'no-store');
    const file = join(work.path, 'backup-of-nothing');
    const refused = await orch(['backup', file, `--data-dir=${missing}`]);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /^orch backup: there is no store in .*no-store: name its folder .*\n$/);
    assert.deepEqual([existsSync(missing), existsSync(file)], [false, false]);
    await (await openEmbeddedStore({ dir: missing, env })).close();
    const made = await orch(['backup', file, `--data-dir=${missing}`]);
    assert.deepEqual([made.code, made.stderr], [0, 'Warning: the store has no objects below /registry/\n']);
  });

  it('orch backup verify and orch restore name a file that does not exist', async () => {
    for (const argv of [
      ['backup', 'verify', 'none'],
      ['restore', 'none', `--data-dir=${join(work.path, 'unused')}`],
    ]) {
      const { code, stderr } = await orch(argv);
      assert.equal(code, 1);
      assert.match(stderr, /^orch (backup verify|restore): none: there is no such file\n$/);
    }
  });

  it('orch backup, orch backup verify and orch restore exit with status 2 and one line for an invalid command line', async () => {
    for (const [argv, message] of [
      [['backup'], 'orch backup: missing argument: FILE\n'],
      [['backup', 'verify'], 'orch backup verify: missing argument: FILE\n'],
      [['restore', 'f', '--passphrase=x'], 'orch restore: unknown flag: --passphrase\n'],
      [
        ['backup', 'f', '--key-file=a', '--passphrase-file=b'],
        'orch backup: --passphrase-file and --key-file cannot be used together\n',
      ],
    ] as const) {
      const { code, stdout, stderr } = await orch(argv);
      assert.deepEqual([code, stdout, stderr], [2, '', message]);
    }
  });

  it('a running server gives a backup to those who may get /storage/backup only, and its store is refused to other programs', async () => {
    const dataDir = join(work.path, 'running');
    await using server = await launchServer({ dataDir, args: ['--authorization-mode=RBAC'] });
    const path = '/storage/backup';
    const asJane = { headers: { 'impersonate-user': 'jane' } };
    assert.equal((await server.client.get(path, asJane)).status, 403);
    assert.equal((await server.client.get(`${path}/`, asJane)).status, 403);
    assert.equal((await server.client.post(path, {})).status, 405);
    assert.equal((await server.client.get(path)).status, 200);
    const direct = await orch(['backup', join(work.path, 'direct'), `--data-dir=${dataDir}`]);
    assert.equal(direct.code, 1);
    assert.match(direct.stderr, /in use by another process: let it make the backup \(--client-config\)\n$/);
    const restore = await orch(['restore', small.file, `--data-dir=${dataDir}`, '--replace']);
    assert.match(restore.stderr, /in use by another process/);
  });

  it('orch restore has every flag of orch backup, with the same help but for a running server', async () => {
    const flagsOf = async (command: string): Promise<ReadonlyMap<string, string>> => {
      const { stdout } = await orch([command, '--help']);
      return new Map(
        [...stdout.matchAll(/^ {2}--([a-z-]+)(.*(?:\n {8}.*)*)/gm)].map(([, name = '', help = '']) => [
          name,
          help,
        ]),
      );
    };
    const [backup, restore] = await Promise.all([flagsOf('backup'), flagsOf('restore')]);
    assert.ok(backup.size > 12);
    const others = [...backup].filter(([name, help]) => restore.get(name) !== help);
    assert.deepEqual(
      others.map(([name]) => name),
      ['client-config'],
    );
    const refused = await orch(['restore', small.file, '--client-config=admin.conf']);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /must be stopped during a restore: name the store with --data-dir or --etcd-servers\n$/,
    );
  });

  it('orch backup and orch restore use the default folder as a server with the same naming does', async () => {
    const cwd = join(work.path, 'namings');
    cpSync(small.dir, join(cwd, '.orch', 'data', 'kubernetes'), { recursive: true });
    const backup = await orch(['backup', 'b', '--naming=kubernetes', '--output=json'], { cwd });
    assert.equal((JSON.parse(backup.stdout) as { readonly entries: number }).entries, 50, backup.stderr);
    assert.ok(!existsSync(join(cwd, '.orch', 'data', 'store.db')));
    const restore = await orch(['restore', 'b', '--naming=kubernetes', '--replace', '--output=json'], {
      cwd,
    });
    assert.equal(
      (JSON.parse(restore.stdout) as { readonly unchanged: number }).unchanged,
      50,
      restore.stderr,
    );
    assert.ok(!existsSync(join(cwd, '.orch', 'data', 'store.db')));
  });

  it('orch restore is refused while a server uses the etcd prefix', async () => {
    const prefix = '--etcd-prefix=/used';
    await using server = await launchServer({
      etcd: etcd.endpoints,
      args: [prefix, '--advertise-address=192.0.2.1'],
    });
    const file = join(work.path, 'used');
    const target = [`--etcd-servers=${etcd.endpoints.join(',')}`, prefix];
    assert.equal((await orch(['backup', file, ...target])).code, 0);
    const refused = await orch(['restore', file, ...target, '--replace']);
    assert.match(refused.stderr, /a server uses the store: stop all servers first/);
    await server.stop();
    assert.equal((await orch(['restore', file, ...target, '--replace'])).code, 0);
  });
});

interface OpenedEtcd extends AsyncDisposable {
  readonly store: Store;
  count(): Promise<number>;
}

async function openedEtcd({ endpoints }: EtcdCluster): Promise<OpenedEtcd> {
  const store = await openEtcdStore({ endpoints, env });
  return {
    store,
    count: async () => (await store.list(range, { limit: 1, keysOnly: true }, signal)).count,
    [Symbol.asyncDispose]: () => store.close(),
  };
}

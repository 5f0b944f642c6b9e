import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { type EtcdCluster, startEtcd, type TempDir, tempDir } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, launchServerProcess, run, start } from '@orch/testkit';
import { Load, maps } from './migration-load.ts';
import { embeddedTarget, etcdTarget, migrated } from './migration-targets.ts';
import { orch, orchProgram } from './orch-command.ts';

const revisionOf = async ({ client }: LaunchedServer): Promise<string> =>
  ((await client.get(maps)).json as { readonly metadata: { readonly resourceVersion: string } }).metadata
    .resourceVersion;

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

describe('orch migrate', { concurrency: 2, timeout: 170_000 }, () => {
  let work: TempDir;
  let etcd: EtcdCluster;
  before(async () => {
    [work, etcd] = await Promise.all([tempDir('orch-migrate-'), startEtcd()]);
  });
  after(() => Promise.all([work[Symbol.asyncDispose](), etcd[Symbol.asyncDispose]()]));

  it('orch migrate moves an embedded store to etcd and back under load, while a client watches all the time', async () => {
    const target = join(work.path, 'target.yaml');
    const dataDir = join(work.path, 'data');
    const certDir = join(work.path, 'certs');
    const args = [`--migration-target-file=${target}`, '--etcd-prefix=/both'];
    await using server = await launchServer({ dataDir, certDir, args });
    const from = await revisionOf(server);
    const load = new Load([server], { writers: 8, from });
    await load.goesOn();
    writeFileSync(target, etcdTarget(etcd));
    const there = await migrated(server);
    await load.goesOn();
    writeFileSync(target, embeddedTarget(dataDir));
    const back = await migrated(server);
    await load.goesOn();
    await load.end();
    load.check();
    assert.ok(there.nextRevision > there.lastRevision && back.lastRevision > there.nextRevision);
    assert.ok(there.pauseMs < 4000 && back.pauseMs < 4000);
    const last = load.changes.at(-1)?.object.metadata;
    const found = await server.client.get(`${maps}/${last?.name}`);
    if (found.status === 200)
      assert.equal(
        (found.json as { metadata: { resourceVersion: string } }).metadata.resourceVersion,
        last?.resourceVersion,
      );
    // With the flags of the other store, the content is found where it is.
    await server.stop();
    const argv = [
      ...args,
      `--etcd-servers=${etcd.endpoints.join(',')}`,
      `--cert-dir=${certDir}`,
      '--secure-port=0',
    ];
    await using other = start(orchProgram.replace(/orch$/, 'orch-apiserver'), argv);
    await other.waitFor(/serving on/, 30_000);
    await other.stop();
    const alone = argv.filter((flag) => !flag.startsWith('--migration-target-file'));
    const refused = await run(orchProgram.replace(/orch$/, 'orch-apiserver'), alone);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /the content of the store \(etcd at .*\) was moved to the embedded store in .*\/data \(migration \w+\): start the server with the flags of that store, or with --migration-target-file/,
    );
  });

  it(`two servers over etcd continue in another etcd, also when the command and the server that move it were killed before, seed ${SEED}`, async () => {
    await using other = await startEtcd();
    const random = seededRandom(SEED);
    const target = join(work.path, 'other.yaml');
    writeFileSync(target, etcdTarget(other));
    const certDir = join(work.path, 'shared');
    const args = [`--migration-target-file=${target}`, '--etcd-prefix=/switched'];
    await using watched = await launchServer({ etcd: etcd.endpoints, certDir, args });
    await using second = await launchServer({ etcd: etcd.endpoints, certDir, args });
    const load = new Load([watched, second], { writers: 4, from: await revisionOf(watched) });
    await load.goesOn();
    for (let kills = 0; kills < 3; kills++) {
      const command = start(orchProgram, ['migrate', `--client-config=${second.adminConfig}`]);
      await new Promise((resolve) => setTimeout(resolve, 300 + random.int(400)));
      await command.stop('SIGKILL');
      await load.goesOn();
    }
    const undone = await orch(['migrate', '--abort', `--client-config=${second.adminConfig}`]);
    if (undone.code !== 0) assert.match(undone.stderr, /no migration to etcd at .* is in progress/);
    const third = await launchServerProcess({ etcd: etcd.endpoints, certDir, args });
    const killed = start(orchProgram, ['migrate', `--client-config=${third.adminConfig}`]);
    await new Promise((resolve) => setTimeout(resolve, 300 + random.int(400)));
    await third.process.stop('SIGKILL');
    await killed.stop();
    await third[Symbol.asyncDispose]();
    await load.goesOn();
    // The migration of the killed server may have been complete: then it does nothing.
    const again = await orch(['migrate', `--client-config=${second.adminConfig}`]);
    assert.deepEqual([again.code, again.stderr], [0, '']);
    await load.goesOn();
    await load.end();
    load.check();
    const direct = await run(orchProgram.replace(/orch$/, 'orch-apiserver'), [
      `--etcd-servers=${etcd.endpoints.join(',')}`,
      '--etcd-prefix=/switched',
      `--cert-dir=${certDir}`,
    ]);
    assert.match(direct.stderr, /was moved to etcd at /);
  });

  it('orch migrate is refused before writes wait while a server cannot use the other store, names it, and does nothing when it is repeated', async () => {
    await using other = await startEtcd();
    const [good, bad] = [join(work.path, 'good.yaml'), join(work.path, 'bad.yaml')];
    writeFileSync(good, etcdTarget(other));
    writeFileSync(bad, JSON.stringify({ 'etcd-servers': ['http://127.0.0.1:1'] }));
    const certDir = join(work.path, 'unready');
    const argsOf = (file: string) => [`--migration-target-file=${file}`, '--etcd-prefix=/unready'];
    const shared = { etcd: etcd.endpoints, certDir };
    await using first = await launchServer({ ...shared, args: argsOf(good) });
    await using second = await launchServer({ ...shared, args: argsOf(bad) });
    const load = new Load([first, second], { writers: 2, from: await revisionOf(first) });
    await load.goesOn();
    const refused = await orch(['migrate', `--client-config=${first.adminConfig}`]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /etcd at .* is not ready for all servers: the server at .* cannot use it: it could not be opened in 5 seconds; servers continue with the store that they use\n$/,
    );
    await load.goesOn();
    writeFileSync(bad, etcdTarget(other));
    await migrated(first);
    await load.goesOn();
    for (const server of [first, second]) {
      const again = await orch(['migrate', `--client-config=${server.adminConfig}`, '--output=text']);
      assert.deepEqual(
        [again.code, again.stdout, again.stderr],
        [0, `nothing to move: servers already use etcd at ${other.endpoints.join(', ')}\n`, ''],
      );
    }
    const undone = await orch(['migrate', '--abort', `--client-config=${first.adminConfig}`]);
    assert.match(undone.stderr, /servers already use etcd at /);
    await load.goesOn();
    await load.end();
    load.check();
  });

  it('orch migrate is refused to those who may not post to /storage/migration, and without a file of the other store', async () => {
    await using server = await launchServer({ args: ['--authorization-mode=RBAC'] });
    const path = '/storage/migration';
    const asJane = { headers: { 'impersonate-user': 'jane' } };
    assert.equal((await server.client.post(path, {}, asJane)).status, 403);
    assert.equal((await server.client.delete(path, asJane)).status, 403);
    assert.equal((await server.client.get(path)).status, 405);
    for (const flags of [[], ['--abort']]) {
      const refused = await orch(['migrate', `--client-config=${server.adminConfig}`, ...flags]);
      assert.equal(refused.code, 1);
      assert.match(
        refused.stderr,
        /the server has no file with the flags of the other store \(--migration-target-file\)/,
      );
    }
    const target = join(work.path, 'invalid.yaml');
    writeFileSync(target, 'etcd-prefix: /other\n');
    await using other = await launchServer({ args: [`--migration-target-file=${target}`] });
    const invalid = await orch(['migrate', `--client-config=${other.adminConfig}`]);
    assert.match(invalid.stderr, /unknown flag: --etcd-prefix/);
    const missing = await orch(['migrate']);
    assert.deepEqual([missing.code, missing.stderr], [2, 'orch migrate: missing flag: --client-config\n']);
  });
});

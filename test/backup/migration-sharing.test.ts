import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type EtcdCluster, startEtcd, type TempDir, tempDir } from '@orch/storage/testing';
import { launchServer, run } from '@orch/testkit';
import { maps } from './migration-load.ts';
import { embeddedTarget, etcdTarget, migrated } from './migration-targets.ts';
import { orchProgram } from './orch-command.ts';

describe('orch migrate between a store of one server and one that servers share', { timeout: 60_000 }, () => {
  let work: TempDir;
  let etcd: EtcdCluster;
  before(async () => {
    [work, etcd] = await Promise.all([tempDir('orch-migrate-'), startEtcd()]);
  });
  after(() => Promise.all([work[Symbol.asyncDispose](), etcd[Symbol.asyncDispose]()]));

  it('orch migrate between a store of one server and one that servers share moves etcd to an embedded store for one server that has published its address and its settings', async () => {
    const target = join(work.path, 'embedded.yaml');
    writeFileSync(target, embeddedTarget(join(work.path, 'alone')));
    const args = [
      `--migration-target-file=${target}`,
      '--etcd-prefix=/alone',
      '--advertise-address=192.0.2.2',
    ];
    await using server = await launchServer({ etcd: etcd.endpoints, args });
    const endpoints = await server.client.get('/api/v1/namespaces/default/endpoints');
    assert.match(JSON.stringify(endpoints.json), /192\.0\.2\.2/);
    await migrated(server);
    const created = await server.client.post(maps, { metadata: { name: 'after' } });
    assert.equal(created.status, 201);
  });

  it('a migration from an embedded store to etcd makes the server one of several: replicas with another generated authority do not start', async () => {
    const target = join(work.path, 'joined.yaml');
    writeFileSync(target, etcdTarget(etcd));
    const prefix = '--etcd-prefix=/joined';
    await using server = await launchServer({ args: [`--migration-target-file=${target}`, prefix] });
    await migrated(server);
    const stranger = [`--cert-dir=${join(work.path, 'stranger')}`, '--secure-port=0'];
    const refused = await run(orchProgram.replace(/orch$/, 'orch-apiserver'), [
      `--etcd-servers=${etcd.endpoints.join(',')}`,
      prefix,
      ...stranger,
    ]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /this replica has generated an authority .* uses another one/);
  });
});

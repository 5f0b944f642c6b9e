import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, launchServerProcess } from '@orch/testkit';

describe('replicas that generate credentials', { timeout: 60_000 }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let first: LaunchedServer;

  before(async () => {
    etcd = await startEtcd();
    first = await launchServer({ etcd: etcd.endpoints });
  });
  after(async () => {
    await first[Symbol.asyncDispose]();
    await etcd[Symbol.asyncDispose]();
  });

  it('a second replica with another folder does not start, and names orch init and the flags', async () => {
    await assert.rejects(
      () => launchServerProcess({ etcd: etcd.endpoints }),
      /exited with 1: [\s\S]*this replica has generated an authority for client certificates[\s\S]*`orch init`[\s\S]*--client-ca-file[\s\S]*--separate-credentials/,
    );
    assert.equal((await first.client.get('/readyz')).status, 200);
  });

  it('a second replica with another service range starts, and reports the difference', async () => {
    const args = ['--separate-credentials', '--service-cluster-ip-range=10.9.0.0/16'];
    await using second = await launchServer({ etcd: etcd.endpoints, args });
    await second.waitFor(/other replicas have another setting.*service-cluster-ip-range/, 20_000);
    const { text } = await second.client.get('/metrics');
    assert.match(text, /apiserver_replica_setting_differences\{flag="service-cluster-ip-range"\} 1/);
    assert.match(text, /apiserver_replica_setting_differences\{flag="service-node-port-range"\} 0/);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findEtcd, startEtcd } from './index.ts';

describe('startEtcd for tests', () => {
  it('startEtcd serves over TLS and requires credentials', async () => {
    await using cluster = await startEtcd({ tls: true, auth: { password: 'secret' } });
    assert.equal((await cluster.leader()).endpoint, cluster.endpoints[0]);
    const reply = await (await cluster.leader()).http('POST', '/v3/kv/range', { key: 'YQ==' });
    assert.notEqual(reply.status, 200);
  });

  it('startEtcd runs three members that survive the loss of their leader', async () => {
    await using cluster = await startEtcd({ members: 3 });
    const old = await cluster.leader();
    await old.kill();
    assert.notEqual(await cluster.leader(), old);
    old.start();
    await old.ready();
  });

  it('startEtcd fails with the name of the package to install when there is no etcd', async () => {
    await assert.rejects(findEtcd('/nonexistent'), /etcd-server/);
  });
});

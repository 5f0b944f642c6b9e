import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { poll } from '@orch/machinery/testing';
import { type EtcdCluster, startEtcd, TcpProxy } from '@orch/storage/testing';
import { launchServer, representativeKubectls, run } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const kubectls = await representativeKubectls(root);
const accounts = '/api/v1/namespaces/default/serviceaccounts';

describe('a write of which etcd gives no answer', { timeout: 120_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'orch-unknown-'));
  let etcd: EtcdCluster;
  before(async () => {
    etcd = await startEtcd();
  });
  after(async () => {
    await etcd[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });

  for (const { path, release } of kubectls) {
    it(`a write without an answer from etcd is an error in kubectl ${release}, which does not send a JSON patch twice`, async () => {
      await using proxy = await TcpProxy.listen({ port: etcd.members[0]?.clientPort ?? 0 });
      await using server = await launchServer({
        naming: 'kubernetes',
        etcd: [`http://127.0.0.1:${proxy.port}`],
        args: [`--etcd-prefix=/registry-${release}`],
      });
      const { client } = server;
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } };
      const created = await client.post(accounts, { ...account, imagePullSecrets: [{ name: 'first' }] });
      assert.equal(created.status, 201);
      proxy.swallowRepliesAfter('item-without-an-answer');
      const patch = [{ op: 'add', path: '/imagePullSecrets/-', value: { name: 'item-without-an-answer' } }];
      const patched = run(
        path,
        ['patch', 'serviceaccount', 'a', '--type=json', '-p', JSON.stringify(patch)],
        { env: { KUBECONFIG: server.adminConfig, HOME: home } },
      );
      // A client that sent it again would now succeed in that.
      await poll('the server gives up', 60_000, async () => {
        const { text } = await client.get('/metrics');
        return /^apiserver_request_total\{.*code="504".*verb="PATCH"/m.test(text) ? true : undefined;
      });
      proxy.swallowReplies(false);
      proxy.cutAll();
      const { code, stderr } = await patched;
      assert.notEqual(code, 0);
      assert.match(stderr, /unknown whether the request took effect/);
      const { json } = await client.get(`${accounts}/a`);
      const names = (json as { imagePullSecrets: { name: string }[] }).imagePullSecrets.map(
        ({ name }) => name,
      );
      assert.ok(names.filter((name) => name === 'item-without-an-answer').length <= 1, `${names}`);
    });
  }
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Resource, ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { base64, requests as samples } from '@orch/pki/x509/testing';
import { ApiClient } from '@orch/testkit';
import { type Cluster, controllers, eventually, startCluster } from './accounts-cluster.ts';

const core = (resource: string, kind: string, namespaced = true): Resource => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced,
});

const referencesOf = (account: ApiObject): readonly string[] =>
  ((account['secrets'] ?? []) as { name: string }[]).map(({ name }) => name);

describe('service accounts of release 1.20', { timeout: 120_000 }, () => {
  let cluster: Cluster;
  let managers: AsyncDisposable[];
  let accounts: ResourceClient;
  let secrets: ResourceClient;

  before(async () => {
    cluster = await startCluster({ args: ['--emulated-version=1.20'] });
    const options = cluster.options({ release: { major: 1, minor: 20 } });
    const both = controllers('serviceaccount', 'serviceaccount-token');
    managers = [await cluster.manage(both, { options }), await cluster.manage(both, { options })];
    accounts = cluster.as().resource(core('serviceaccounts', 'ServiceAccount'), 'default');
    secrets = cluster.as().resource(core('secrets', 'Secret'), 'default');
  });
  after(async () => {
    await Promise.all(managers.map((one) => one[Symbol.asyncDispose]()));
    await cluster[Symbol.asyncDispose]();
  });

  /** The account when it refers to exactly one secret, which exists. */
  const settled = (name: string, isOther = (_uid: string | undefined) => true): Promise<ApiObject> =>
    eventually(`the token of ${name}`, async () => {
      const account = await accounts.get(name).catch(() => undefined);
      const [secret, ...more] = account === undefined ? [] : referencesOf(account);
      if (secret === undefined || more.length > 0) return undefined;
      const found = await secrets.get(secret).catch(() => undefined);
      return found !== undefined && isOther(found.metadata.uid) ? account : undefined;
    });

  const tokenSecretsOf = async (name: string): Promise<readonly string[]> =>
    (await secrets.list()).items
      .filter(
        ({ metadata }) =>
          metadata.annotations?.[cluster.names.annotations.serviceAccountName] === name &&
          !metadata.deletionTimestamp,
      )
      .map(({ metadata }) => metadata.name ?? '');

  it('each service account of release 1.20 gets one working token secret, also with two managers', async () => {
    const made = Array.from({ length: 10 }, (_, i) => `robot-${i}`);
    await Promise.all(
      made.map((name) => accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })),
    );
    for (const name of ['default', ...made]) {
      const account = await settled(name);
      const [reference = ''] = referencesOf(account);
      assert.match(reference, new RegExp(`^${name}-token-[a-z0-9]{5}$`));
      assert.deepEqual(await tokenSecretsOf(name), [reference]);
    }
    const [reference = ''] = referencesOf(await accounts.get('robot-0'));
    const { token = '' } = (await secrets.get(reference))['data'] as Record<string, string>;
    const own = { ...cluster.server.config, cert: undefined, key: undefined };
    using client = new ApiClient({ ...own, token: Buffer.from(token, 'base64').toString() });
    assert.equal((await client.get('/api/v1/namespaces/default/pods')).status, 403);
  });

  it('a service account of release 1.20 whose token secret is deleted gets another one, and the old token stays revoked', async () => {
    const [reference = ''] = referencesOf(await settled('robot-1'));
    const before = await secrets.get(reference);
    await secrets.delete(reference);
    const account = await settled('robot-1', (uid) => uid !== before.metadata.uid);
    const [next = ''] = referencesOf(account);
    assert.match(next, /^robot-1-token-[a-z0-9]{5}$/);
    assert.notEqual(next, reference);
    assert.deepEqual(await tokenSecretsOf('robot-1'), [next]);
    const { token = '' } = before['data'] as Record<string, string>;
    const own = { ...cluster.server.config, cert: undefined, key: undefined };
    using client = new ApiClient({ ...own, token: Buffer.from(token, 'base64').toString() });
    assert.equal((await client.get('/api/v1/namespaces/default/pods')).status, 401);
  });

  it('the reference to a deleted token secret is removed from a service account with another token secret', async () => {
    const { serviceAccountName } = cluster.names.annotations;
    const [reference = ''] = referencesOf(await settled('robot-2'));
    await secrets.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'of-robot-2', annotations: { [serviceAccountName]: 'robot-2' } },
      type: cluster.names.secretTypes.serviceAccountToken,
    });
    const account = await accounts.get('robot-2');
    await accounts.update({ ...account, secrets: [{ name: reference }, { name: 'of-robot-2' }] });
    await secrets.delete(reference);
    const left = await eventually('one reference', async () => {
      const found = referencesOf(await accounts.get('robot-2'));
      return found.includes(reference) ? undefined : found;
    });
    assert.deepEqual(left, ['of-robot-2']);
  });

  it('the token secret that a crashed manager has only referenced is created by the next manager', async () => {
    await managers.pop()?.[Symbol.asyncDispose]();
    await managers.pop()?.[Symbol.asyncDispose]();
    await accounts.create({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'orphan' },
      secrets: [{ name: 'orphan-token-bcdfg' }],
    });
    const options = cluster.options({ release: { major: 1, minor: 20 } });
    managers.push(await cluster.manage(controllers('serviceaccount-token'), { options }));
    await settled('orphan');
    assert.deepEqual(await tokenSecretsOf('orphan'), ['orphan-token-bcdfg']);
  });
});

// In 1.17 requests had no signers; in 1.18 they had one by default; both have only the older version.
for (const minor of [17, 18]) {
  describe(`certificate signing requests of release 1.${minor}`, { timeout: 120_000 }, () => {
    it(`certificate signing requests of release 1.${minor} without a signer name are signed, and those of nodes approved`, async () => {
      await using cluster = await startCluster({ args: [`--emulated-version=1.${minor}`] });
      const { names } = cluster;
      const options = cluster.options({ release: { major: 1, minor } });
      const wanted = controllers('csrapproving', 'csrsigning', 'csrcleaner');
      await using _manager = await cluster.manage(wanted, { options });
      const group = names.group('certificates');
      const requests = cluster.as().resource({
        group,
        version: 'v1beta1',
        resource: 'certificatesigningrequests',
        kind: 'CertificateSigningRequest',
        namespaced: false,
      });
      const made = (name: string, request: string, usages: readonly string[]): ApiObject => ({
        apiVersion: `${group}/v1beta1`,
        kind: 'CertificateSigningRequest',
        metadata: { name },
        spec: { request: base64(request), usages },
      });
      await requests.create(made('jane', samples.ellipticCurve, ['client auth', 'server auth']));
      const node = ['digital signature', 'key encipherment', 'client auth'];
      // The administrator may do everything, and so have certificates for nodes.
      await requests.create(made('node', samples.nodeClient, node));
      const current = await requests.get('jane');
      const conditions = [{ type: 'Approved', reason: 'Test', message: 'by hand' }];
      await requests.subresource('approval').update({ ...current, status: { conditions } });
      for (const name of ['jane', 'node']) {
        const status = await eventually(`the certificate of ${name}`, async () => {
          const found = (await requests.get(name))['status'] as Record<string, unknown>;
          return found['certificate'] === undefined ? undefined : found;
        });
        assert.match(Buffer.from(String(status['certificate']), 'base64').toString(), /^-----BEGIN CERT/);
      }
    });
  });
}

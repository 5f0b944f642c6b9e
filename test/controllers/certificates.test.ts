import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { ApiClient, findKubectls, run } from '@orch/testkit';
import { type Cluster, controllers, eventually, startCluster } from './accounts-cluster.ts';

const kubectl = (await findKubectls(join(import.meta.dirname, '..', '..'))).at(-1);
const hasOpenssl = (await run('openssl', ['version'])).code === 0;
const names = ['csrapproving', 'csrsigning'] as const;
const node = '/O=system:nodes/CN=system:node:n1';
const nodeUsages = ['digital signature', 'key encipherment', 'client auth'];

const newKey = {
  RSA: ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'ECDSA P-256': ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'ECDSA P-384': ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  Ed25519: ['genpkey', '-algorithm', 'ED25519'],
} as const;

/** A key and a request for it, made by openssl. */
async function opensslRequest(
  work: string,
  { key = 'ECDSA P-256' as keyof typeof newKey, subject = '/CN=jane', more = [] as readonly string[] },
): Promise<{ readonly key: string; readonly request: string }> {
  const made = await run('openssl', newKey[key]);
  assert.equal(made.code, 0, made.stderr);
  const path = join(work, 'request.key');
  writeFileSync(path, made.stdout);
  const request = await run('openssl', ['req', '-new', '-key', path, '-subj', subject, ...more]);
  assert.equal(request.code, 0, request.stderr);
  return { key: made.stdout, request: request.stdout };
}

const conditionsOf = (request: ApiObject | undefined): readonly Record<string, unknown>[] => {
  const status = request?.['status'];
  const conditions = isJsonObject(status) ? status['conditions'] : undefined;
  return Array.isArray(conditions) ? conditions : [];
};

const certificateOf = (request: ApiObject | undefined): string | undefined => {
  const status = request?.['status'];
  const text = isJsonObject(status) ? status['certificate'] : undefined;
  return typeof text === 'string' ? Buffer.from(text, 'base64').toString() : undefined;
};

const signed = (requests: ResourceClient, name: string): Promise<string> =>
  eventually(`the certificate of ${name}`, async () => certificateOf(await requests.get(name)));

for (const naming of ['orch', 'kubernetes'] as const) {
  describe(`certificate signing requests (${naming})`, { timeout: 180_000, skip: !hasOpenssl }, () => {
    let cluster: Cluster;
    let managers: AsyncDisposable[];
    let requests: ResourceClient;

    before(async () => {
      cluster = await startCluster({ naming });
      managers = [await cluster.manage(controllers(...names)), await cluster.manage(controllers(...names))];
      requests = cluster.requests();
    });
    after(async () => {
      await Promise.all(managers.map((one) => one[Symbol.asyncDispose]()));
      await cluster[Symbol.asyncDispose]();
    });

    const made = (name: string, spec: Record<string, unknown>): ApiObject => ({
      apiVersion: cluster.names.apiVersion('certificates', 'v1'),
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: { signerName: cluster.names.signers.apiserverClient, usages: ['client auth'], ...spec },
    });

    const base64 = (text: string): string => Buffer.from(text).toString('base64');

    const approve = async (name: string, type = 'Approved'): Promise<void> => {
      const current = await requests.get(name);
      const conditions = [{ type, status: 'True', reason: 'Test', message: 'by hand' }];
      await requests.subresource('approval').update({ ...current, status: { conditions } });
    };

    /** With the real client under its naming. */
    const decide = async (verb: 'approve' | 'deny', name: string): Promise<void> => {
      if (naming === 'orch' || kubectl === undefined)
        return approve(name, verb === 'approve' ? 'Approved' : 'Denied');
      const env = { KUBECONFIG: cluster.server.adminConfig, HOME: cluster.work };
      const done = await run(kubectl.path, ['certificate', verb, name], { env });
      assert.equal(done.code, 0, done.stderr);
    };

    const whoIs = async (cert: string, key: string): Promise<{ status: number; text: string }> => {
      const { config } = cluster.server;
      using client = new ApiClient({ ...config, cert: Buffer.from(cert), key: Buffer.from(key) });
      return await client.get('/api/v1/namespaces/default/pods');
    };

    for (const key of Object.keys(newKey) as (keyof typeof newKey)[]) {
      it(`an approved certificate signing request with a key of type ${key} is signed, and its certificate authenticates`, async () => {
        const name = `user-${key.toLowerCase().replace(/[^a-z0-9]/g, '-')}`;
        const own = await opensslRequest(cluster.work, { key, subject: '/O=dev/O=ops/CN=jane' });
        await requests.create(made(name, { request: base64(own.request), expirationSeconds: 3600 }));
        await decide('approve', name);
        const certificate = await signed(requests, name);
        const answer = await whoIs(certificate, own.key);
        assert.equal(answer.status, 403);
        assert.match(answer.text, /User \\"jane\\"/);
        const read = new X509Certificate(certificate);
        assert.ok(read.verify(new X509Certificate(cluster.authority.cert).publicKey));
        assert.equal(read.subject, 'O=dev\nO=ops\nCN=jane');
        assert.equal(read.ca, false);
        const file = join(cluster.work, `${name}.crt`);
        writeFileSync(file, certificate);
        const strict = ['verify', '-x509_strict', '-purpose', 'sslclient', '-CAfile'];
        const checked = await run('openssl', [...strict, cluster.files.authorityCert, file]);
        assert.equal(checked.code, 0, checked.stderr);
      });
    }

    it('a denied certificate signing request is not signed', async () => {
      const own = await opensslRequest(cluster.work, {});
      await requests.create(made('refused', { request: base64(own.request) }));
      await decide('deny', 'refused');
      await requests.create(made('next', { request: base64(own.request) }));
      await approve('next');
      await signed(requests, 'next');
      const refused = await requests.get('refused');
      assert.equal(certificateOf(refused), undefined);
      assert.deepEqual(
        conditionsOf(refused).map(({ type }) => type),
        ['Denied'],
      );
    });

    it('a certificate signing request that violates a rule of its signer fails with the reason', async () => {
      const own = await opensslRequest(cluster.work, {});
      await requests.create(
        made('serving', { request: base64(own.request), usages: ['client auth', 'server auth'] }),
      );
      await approve('serving');
      const failed = await eventually('the failure', async () =>
        conditionsOf(await requests.get('serving')).find(({ type }) => type === 'Failed'),
      );
      assert.equal(failed['reason'], 'SignerValidationFailure');
      assert.equal(failed['message'], 'this signer does not allow the usage "server auth"');
      assert.equal(certificateOf(await requests.get('serving')), undefined);
    });

    it('certificate signing requests of unknown signers are not changed', async () => {
      const own = await opensslRequest(cluster.work, {});
      const request = base64(own.request);
      await requests.create(made('foreign', { request, signerName: 'example.com/mine' }));
      await approve('foreign');
      await requests.create(made('ours', { request }));
      await approve('ours');
      await signed(requests, 'ours');
      assert.equal(certificateOf(await requests.get('foreign')), undefined);
    });

    it('two managers sign each certificate signing request once', async () => {
      const own = await opensslRequest(cluster.work, {});
      const all = Array.from({ length: 10 }, (_, i) => `raced-${i}`);
      for (const name of all) await requests.create(made(name, { request: base64(own.request) }));
      const { metadata } = await requests.list();
      const seen = new Map<string, Set<string>>();
      const abort = new AbortController();
      const watching = (async () => {
        const { resourceVersion } = metadata;
        for await (const { object } of requests.watch({ resourceVersion }, abort.signal)) {
          const certificate = certificateOf(object);
          const name = object.metadata.name ?? '';
          if (certificate !== undefined) seen.set(name, (seen.get(name) ?? new Set()).add(certificate));
        }
      })().catch(() => undefined);
      await Promise.all(all.map((name) => approve(name)));
      await eventually('all certificates', async () => all.every((name) => seen.has(name)));
      await requests.create(made('after', { request: base64(own.request) }));
      await approve('after');
      await eventually('a later certificate', async () => seen.has('after'));
      abort.abort();
      await watching;
      for (const name of all) assert.equal(seen.get(name)?.size, 1, name);
    });

    describe('certificate signing requests of nodes', () => {
      const bind = async (role: string, user: string): Promise<void> => {
        const { names: n } = cluster;
        const group = n.group('rbac');
        const bindings = cluster.as().resource({
          group,
          version: 'v1',
          resource: 'clusterrolebindings',
          kind: 'ClusterRoleBinding',
          namespaced: false,
        });
        await bindings.create({
          apiVersion: `${group}/v1`,
          kind: 'ClusterRoleBinding',
          metadata: { generateName: 'test-' },
          roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
          subjects: [{ apiGroup: group, kind: 'User', name: user }],
        });
      };
      const asked = async (user: string, name: string, subject = node): Promise<ResourceClient> => {
        const own = await opensslRequest(cluster.work, { subject });
        const client = cluster.requests(user);
        await client.create(
          made(name, {
            request: base64(own.request),
            signerName: cluster.names.signers.apiserverClientNodeagent,
            usages: nodeUsages,
          }),
        );
        return client;
      };

      it('a node certificate request is approved when its creator may request certificates for nodes', async () => {
        const { clusterRoles } = cluster.names;
        await bind(clusterRoles.nodeBootstrapper, 'bootstrapper');
        await bind(clusterRoles.csrNodeclient, 'bootstrapper');
        await asked('bootstrapper', 'node-first');
        const certificate = new X509Certificate(await signed(requests, 'node-first'));
        assert.equal(certificate.subject, 'O=system:nodes\nCN=system:node:n1');
        const [approved] = conditionsOf(await requests.get('node-first'));
        assert.equal(approved?.['reason'], 'AutoApproved');
        assert.match(String(approved?.['message']), /^Auto approving node client certificate/);
      });

      it('a certificate request of a node for itself is approved when the node may renew its certificate', async () => {
        const { clusterRoles } = cluster.names;
        await bind(clusterRoles.nodeBootstrapper, 'system:node:n1');
        await bind(clusterRoles.csrSelfnodeclient, 'system:node:n1');
        await asked('system:node:n1', 'node-renewed');
        await signed(requests, 'node-renewed');
        const [approved] = conditionsOf(await requests.get('node-renewed'));
        assert.match(String(approved?.['message']), /^Auto approving self node client certificate/);
      });

      it('a node certificate request is not approved without permission, or for another node', async () => {
        await bind(cluster.names.clusterRoles.nodeBootstrapper, 'stranger');
        await asked('stranger', 'node-by-stranger');
        await asked('system:node:n1', 'node-of-another', '/O=system:nodes/CN=system:node:n2');
        await asked('bootstrapper', 'node-after');
        await signed(requests, 'node-after');
        for (const name of ['node-by-stranger', 'node-of-another'])
          assert.deepEqual(conditionsOf(await requests.get(name)), [], name);
      });
    });
  });
}

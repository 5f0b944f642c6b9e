import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DelegatedAuthorizer, ExtensionServer, proxyTrust } from '@orch/client/extension-server';
import { namesFor, silentLogger, systemEnv } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { type LaunchedServer, launchServer, representativeKubectls, run } from '@orch/testkit';
import { metricsApi } from '../../examples/metrics-server/metrics-api.ts';
import { adminClient, type ConnectedClient } from './connection.ts';

/** An address of this machine that pods may have: not the loopback one, which is refused for them. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(
    ({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'),
  )?.address;
const ifAddress = ownAddress === undefined ? { skip: 'this machine has no address beside loopback' } : {};

const kubectls = await representativeKubectls(join(import.meta.dirname, '../..'));
const names = namesFor('kubernetes');
const GROUP = 'metrics.k8s.io';
const base = `/apis/${GROUP}/v1beta1`;
const namespaced = '/api/v1/namespaces/default';

describe('an extension API server written with the client library', {
  timeout: 120_000,
  ...ifAddress,
}, () => {
  const authority = testCertificate({ commonName: 'metrics', use: 'authority' });
  const tls = testCertificate(
    { commonName: 'metrics', use: 'server', hosts: ['metrics.default.svc'] },
    authority,
  );
  let server: LaunchedServer;
  let connected: ConnectedClient;
  let extension: ExtensionServer;
  let port = 0;

  async function create(path: string, body: object): Promise<void> {
    const { status, text } = await server.client.send('POST', path, { body });
    assert.equal(status, 201, text);
  }

  /** What extension servers may trust, as the server publishes it. */
  async function publishedTrust() {
    const path = `/api/v1/namespaces/${names.namespaces.system}/configmaps/${names.objects.extensionAuthentication}`;
    const { json } = await eventually(
      () => server.client.send('GET', path),
      ({ status }) => status === 200,
    );
    const trust = proxyTrust(json as Parameters<typeof proxyTrust>[0]);
    assert.ok(trust !== undefined, 'the server publishes its authority as a proxy');
    return trust;
  }

  before(async () => {
    server = await launchServer({ naming: 'kubernetes', args: ['--authorization-mode=RBAC'] });
    connected = adminClient(server, 'kubernetes');
    const usage = { cpu: '250m', memory: '64Mi' };
    const source = {
      nodes: async () => new Map([['node-1', { cpu: '1500m', memory: '2Gi' }]]),
      pods: async () => [{ namespace: 'default', name: 'web', containers: new Map([['main', usage]]) }],
    };
    const env = systemEnv({ log: silentLogger });
    extension = new ExtensionServer({
      api: metricsApi(GROUP, source, () => new Date().toISOString()),
      tls,
      trust: await publishedTrust(),
      authorizer: new DelegatedAuthorizer(connected.client, env.clock),
      log: silentLogger,
    });
    port = await extension.listen(0, ownAddress);
    await register();
  });
  after(async () => {
    await extension?.[Symbol.asyncDispose]();
    await connected?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  async function register(): Promise<void> {
    const metadata = { name: 'metrics' };
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await create(`${namespaced}/pods`, { kind: 'Pod', apiVersion: 'v1', metadata, spec });
    await server.client.send('PATCH', `${namespaced}/pods/metrics/status`, {
      body: { status: { phase: 'Running', podIP: ownAddress, podIPs: [{ ip: ownAddress }] } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    await create(`${namespaced}/services`, {
      ...{ kind: 'Service', apiVersion: 'v1', metadata },
      spec: { clusterIP: 'None', ports: [{ name: 'https', port: 443 }] },
    });
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'metrics' };
    await create(`${namespaced}/endpoints`, {
      ...{ kind: 'Endpoints', apiVersion: 'v1', metadata },
      subsets: [{ addresses: [{ ip: ownAddress, targetRef }], ports: [{ name: 'https', port }] }],
    });
    await create('/apis/apiregistration.k8s.io/v1/apiservices', {
      ...{ kind: 'APIService', apiVersion: 'apiregistration.k8s.io/v1' },
      metadata: { name: `v1beta1.${GROUP}` },
      spec: {
        ...{ group: GROUP, version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
        service: { namespace: 'default', name: 'metrics' },
        caBundle: Buffer.from(authority.cert).toString('base64'),
      },
    });
    await eventually(
      () => server.client.send('GET', `${base}/nodes`),
      ({ status }) => status === 200,
    );
  }

  it('serves kubectl top for nodes and pods', { skip: kubectls.length === 0 }, async () => {
    await create('/api/v1/nodes', {
      ...{ kind: 'Node', apiVersion: 'v1', metadata: { name: 'node-1' } },
      status: { allocatable: { cpu: '4', memory: '8Gi' } },
    });
    const env = { KUBECONFIG: server.adminConfig };
    for (const { path, release } of kubectls) {
      const nodes = await run(path, ['top', 'nodes'], { env });
      assert.match(nodes.stdout, /node-1\s+1500m\s+37%\s+2048Mi\s+25%/, `${release}: ${nodes.stderr}`);
      const pods = await run(path, ['top', 'pods', '-n', 'default'], { env });
      assert.match(pods.stdout, /web\s+250m\s+64Mi/, `${release}: ${pods.stderr}`);
    }
  });

  it('asks the API server whether a user may read', async () => {
    const headers = { 'impersonate-user': 'jane' };
    assert.equal((await server.client.send('GET', `${base}/nodes`, { headers })).status, 403);
  });

  it('answers requests that do not come from the proxy with 401, whatever their header fields say', async () => {
    const session = connect(`https://${ownAddress}:${port}`, {
      ca: authority.cert,
      servername: 'metrics.default.svc',
    });
    try {
      const forged = { 'x-remote-user': 'system:admin', 'x-remote-group': 'system:masters' };
      const request = session.request({ ':path': `${base}/nodes`, ...forged });
      const status = await new Promise((resolve, reject) => {
        request.once('response', (headers) => resolve(headers[':status']));
        request.once('error', reject);
      });
      assert.equal(status, 401);
    } finally {
      session.destroy();
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ExtensionServer, type ProxyTrust, proxyTrust } from '@orch/client/extension-server';
import { namesFor } from '@orch/machinery';
import { eventually, testEnv } from '@orch/machinery/testing';
import { pemBlocks } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';
import { startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, podAddressOfMachine, registerExtension } from '@orch/testkit';

const names = namesFor('orch');
const ownAddress = podAddressOfMachine();
const GROUP = 'widgets.example.com';
const widgets = `/apis/${GROUP}/v1/namespaces/default/widgets`;
const { namespaces, objects } = names;
const configMap = `/api/v1/namespaces/${namespaces.system}/configmaps/${objects.extensionAuthentication}`;

const ifAddress = ownAddress === undefined ? { skip: 'this machine has no address besides loopback' } : {};

/** Servers that share only etcd: each has generated an authority and a certificate for extension API servers. */
describe('servers without certificates for extension API servers', { timeout: 120_000, ...ifAddress }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let servers: readonly LaunchedServer[] = [];
  let extension: ExtensionServer | undefined;

  before(async () => {
    etcd = await startEtcd();
    const launch = (): Promise<LaunchedServer> =>
      launchServer({ etcd: etcd.endpoints, args: ['--separate-credentials'] });
    servers = [await launch(), await launch(), await launch()];
  });
  after(async () => {
    await extension?.[Symbol.asyncDispose]();
    await Promise.all(servers.map((one) => one[Symbol.asyncDispose]()));
    await etcd?.[Symbol.asyncDispose]();
  });

  async function trustFrom({ client }: LaunchedServer): Promise<ProxyTrust> {
    const { json, text } = await client.get(configMap);
    const trust = proxyTrust(json as Parameters<typeof proxyTrust>[0]);
    assert.ok(trust !== undefined, text);
    return trust;
  }

  /** Starts an extension API server of the client library, which serves one kind to every user of the proxy. */
  async function startExtension(trust: ProxyTrust): Promise<void> {
    const authority = testCertificate({ commonName: 'extension-authority', use: 'authority' });
    const hosts = ['widgets.default.svc'];
    extension = new ExtensionServer({
      api: {
        ...{ group: GROUP, version: 'v1' },
        resources: [
          { resource: 'widgets', singular: 'widget', kind: 'Widget', namespaced: true, list: async () => [] },
        ],
      },
      tls: testCertificate({ commonName: 'extension', use: 'server', hosts }, authority),
      trust,
      authorizer: { isAllowed: async () => true },
      authenticator: { user: async () => undefined },
      names,
      env: testEnv(),
    });
    const port = await extension.listen(0, ownAddress);
    const [first] = servers;
    assert.ok(first);
    await registerExtension(first.client, 'orch', {
      ...{ name: 'widgets', address: ownAddress ?? '', port, group: GROUP, version: 'v1' },
      caBundle: Buffer.from(authority.cert).toString('base64'),
    });
  }

  it('each of them publishes the authorities of all of them', async () => {
    for (const server of servers) {
      const { authorities, allowedNames } = await trustFrom(server);
      assert.equal([...pemBlocks(authorities)].length, servers.length);
      assert.deepEqual(allowedNames, ['front-proxy-client']);
    }
  });

  it('each of them publishes the authorities that all of them have generated for client certificates', async () => {
    for (const { client } of servers) {
      const { data } = (await client.get(configMap)).json as {
        readonly data: Readonly<Record<string, string>>;
      };
      assert.equal([...pemBlocks(data['client-ca-file'] ?? '')].length, servers.length);
    }
  });

  it('an extension API server that trusts what they publish accepts the requests of each of them', async () => {
    const [first] = servers;
    assert.ok(first);
    await startExtension(await trustFrom(first));
    for (const { client } of servers) {
      const answered = await eventually(
        () => client.get(widgets),
        ({ status }) => status !== 404 && status !== 503,
      );
      assert.deepEqual([answered.status, answered.text.includes('WidgetList')], [200, true], answered.text);
    }
  });
});

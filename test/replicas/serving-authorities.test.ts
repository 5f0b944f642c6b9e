import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { poll } from '@orch/machinery/testing';
import { pemBlocks } from '@orch/pki/x509';
import { startEtcd } from '@orch/storage/testing';
import { ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';

const namespace = '/api/v1/namespaces/default';
const bundlePath = `${namespace}/configmaps/orch-root-ca.crt`;
const accounts = `${namespace}/serviceaccounts`;

interface ConfigMap {
  readonly data?: Readonly<Record<string, string>>;
}

const countOf = (bundle: string): number => [...pemBlocks(bundle)].length;

const eventually = <T>(what: string, read: () => Promise<T | undefined>): Promise<T> =>
  poll(what, 90_000, read);

/** Two programs that share only etcd: each has an authority that the other does not have. */
describe('servers that share nothing but etcd', { timeout: 240_000 }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let servers: LaunchedServer[];

  before(async () => {
    etcd = await startEtcd();
    const launch = (): Promise<LaunchedServer> =>
      launchServer({
        program: 'orch',
        etcd: etcd.endpoints,
        args: ['--emulated-version=1.23', '--separate-credentials'],
      });
    servers = [await launch(), await launch()];
  });
  after(async () => {
    await Promise.all(servers.map((one) => one[Symbol.asyncDispose]()));
    await etcd[Symbol.asyncDispose]();
  });

  const bundleOf = async ({ client }: LaunchedServer): Promise<string | undefined> => {
    const answer = await client.get(bundlePath);
    const text = (answer.json as ConfigMap | undefined)?.data?.['ca.crt'] ?? '';
    return countOf(text) === 2 ? text : undefined;
  };

  it('servers publish the serving authorities of all servers to every namespace, and clients reach each server with them', async () => {
    const [first] = servers;
    assert.ok(first);
    const bundle = await eventually('the bundle', () => bundleOf(first));
    for (const { config } of servers) {
      assert.notEqual(config.ca.toString(), bundle);
      using client = new ApiClient({ ...config, ca: Buffer.from(bundle) });
      assert.equal((await client.get('/readyz')).status, 200);
    }
  });

  it('token secrets contain the serving authorities of all servers, and all servers accept their tokens', async () => {
    const [first] = servers;
    assert.ok(first);
    const made = await first.client.post(accounts, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    });
    assert.equal(made.status, 201, made.text);
    const { token = '', 'ca.crt': bundle = '' } = await eventually('the token', async () => {
      const { json } = await first.client.get(`${namespace}/secrets`);
      const { items = [] } = json as {
        readonly items?: readonly (ConfigMap & { metadata: { name: string } })[];
      };
      const data = items.find(({ metadata }) => metadata.name.startsWith('robot-token-'))?.data;
      const text = Buffer.from(data?.['ca.crt'] ?? '', 'base64').toString();
      return data !== undefined && countOf(text) === 2 ? data : undefined;
    });
    for (const { config } of servers) {
      using client = new ApiClient({
        ...config,
        ca: Buffer.from(bundle, 'base64'),
        cert: undefined,
        key: undefined,
        token: Buffer.from(token, 'base64').toString(),
      });
      // The account may do nothing; a token that a server does not accept is answered 401.
      assert.equal((await client.get(accounts)).status, 403);
    }
  });

  it('the serving authority of a stopped server remains published', async () => {
    const [first] = servers;
    assert.ok(first);
    const stopped = servers.pop();
    const bundle = (await first.client.get(bundlePath)).json as ConfigMap;
    await stopped?.[Symbol.asyncDispose]();
    const later = (await first.client.get(bundlePath)).json as ConfigMap;
    assert.deepEqual(later.data, bundle.data);
    assert.equal(countOf(later.data?.['ca.crt'] ?? ''), 2);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Resource, ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { ApiClient } from '@orch/testkit';
import { compactVerify } from 'jose';
import { type Cluster, controllers, eventually, startCluster } from './accounts-cluster.ts';

const core = (resource: string, kind: string): Resource => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced: true,
});

const dataOf = (object: ApiObject): Readonly<Record<string, string>> =>
  (object['data'] ?? {}) as Record<string, string>;

/** Simulates a client that has the token and reads a config map that anybody could have written. */
async function verified(map: ApiObject, token: string): Promise<boolean> {
  const [id = ''] = token.split('.');
  const { kubeconfig = '', [`jws-kubeconfig-${id}`]: signature = '' } = dataOf(map);
  assert.match(signature, /^[\w-]+\.\.[\w-]+$/);
  const payload = Buffer.from(kubeconfig).toString('base64url');
  const whole = signature.replace('..', `.${payload}.`);
  try {
    const { protectedHeader } = await compactVerify(whole, Buffer.from(token), { algorithms: ['HS256'] });
    return protectedHeader.kid === id;
  } catch {
    return false;
  }
}

for (const naming of ['orch', 'kubernetes'] as const) {
  describe(`bootstrap tokens (${naming})`, { timeout: 120_000 }, () => {
    let cluster: Cluster;
    let managers: AsyncDisposable[];
    let maps: ResourceClient;
    let secrets: ResourceClient;

    before(async () => {
      cluster = await startCluster({ naming });
      const { names } = cluster;
      maps = cluster.as().resource(core('configmaps', 'ConfigMap'), names.namespaces.public);
      secrets = cluster.as().resource(core('secrets', 'Secret'), names.namespaces.system);
      const both = controllers('bootstrapsigner', 'tokencleaner');
      managers = [await cluster.manage(both), await cluster.manage(both)];
    });
    after(async () => {
      await Promise.all(managers.map((one) => one[Symbol.asyncDispose]()));
      await cluster[Symbol.asyncDispose]();
    });

    const token = (id: string, more: Readonly<Record<string, string>> = {}): ApiObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `bootstrap-token-${id}` },
      type: cluster.names.secretTypes.bootstrapToken,
      stringData: {
        'token-id': id,
        'token-secret': '0123456789abcdef',
        'usage-bootstrap-authentication': 'true',
        'usage-bootstrap-signing': 'true',
        ...more,
      },
    });
    const whole = (id: string): string => `${id}.0123456789abcdef`;
    const inTime = (ms: number): string => new Date(Date.now() + ms).toISOString();

    const signatures = async (): Promise<readonly string[]> =>
      Object.keys(dataOf(await maps.get('cluster-info')))
        .filter((key) => key !== 'kubeconfig')
        .sort();
    const signedBy = (...ids: readonly string[]): Promise<unknown> => {
      const wanted = ids.map((id) => `jws-kubeconfig-${id}`).join();
      return eventually(`signatures of ${wanted}`, async () => (await signatures()).join() === wanted);
    };

    it('the cluster information is signed with every bootstrap token, as an independent JWS library verifies', async () => {
      await secrets.create(token('aaaaaa'));
      await secrets.create(token('bbbbbb'));
      await maps.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'cluster-info' },
        data: { kubeconfig: 'clusters: [] # Größe\n', 'jws-kubeconfig-stale1': 'a..b' },
      });
      await signedBy('aaaaaa', 'bbbbbb');
      const map = await maps.get('cluster-info');
      assert.ok(await verified(map, whole('aaaaaa')));
      assert.ok(await verified(map, whole('bbbbbb')));
      assert.equal(await verified(map, 'aaaaaa.ffffffffffffffff'), false);
    });

    it('the cluster information is signed again when it changes', async () => {
      await maps.patch.merge('cluster-info', { data: { kubeconfig: 'clusters: [other]\n' } });
      await eventually('a new signature', async () =>
        verified(await maps.get('cluster-info'), whole('aaaaaa')),
      );
    });

    it('a bootstrap token with a secret of any format signs the cluster information', async () => {
      await secrets.create(token('dddddd', { 'token-secret': 'tokenSecret' }));
      await signedBy('aaaaaa', 'bbbbbb', 'dddddd');
      assert.ok(await verified(await maps.get('cluster-info'), 'dddddd.tokenSecret'));
      await secrets.delete('bootstrap-token-dddddd');
      await signedBy('aaaaaa', 'bbbbbb');
    });

    it('invalid bootstrap tokens and tokens without the signing usage do not sign the cluster information', async () => {
      await secrets.create(token('cccccc', { 'usage-bootstrap-signing': 'false' }));
      await secrets.create(token('eeeeee', { 'token-id': 'other1' }));
      for (const [id, data] of [
        ['kkkkkk', { 'token-secret': '' }],
        ['llllll', { 'usage-bootstrap-signing': 'yes' }],
        ['mmmmmm', { expiration: 'soon' }],
      ] as const)
        await secrets.create(token(id, data));
      await secrets.create({ ...token('nnnnnn'), type: 'Opaque' });
      await secrets.create({ ...token('oooooo'), metadata: { name: 'other-token' } });
      const { public: elsewhere } = cluster.names.namespaces;
      const others = cluster.as().resource(core('secrets', 'Secret'), elsewhere);
      await others.create(token('pppppp'));
      await secrets.create(token('ffffff'));
      await signedBy('aaaaaa', 'bbbbbb', 'ffffff');
    });

    it('the signature of a bootstrap token is removed when its secret is deleted', async () => {
      await secrets.delete('bootstrap-token-ffffff');
      await signedBy('aaaaaa', 'bbbbbb');
    });

    it('an expired bootstrap token is deleted with its signature and no longer authenticates', async () => {
      const statusNow = async (): Promise<number> => {
        const { config } = cluster.server;
        const own = { ...config, cert: undefined, key: undefined, token: whole('gggggg') };
        using client = new ApiClient(own);
        return (await client.get('/api/v1/namespaces/default/pods')).status;
      };
      await secrets.create(token('gggggg', { expiration: inTime(3_600_000) }));
      await secrets.create(token('hhhhhh', { expiration: inTime(3_600_000) }));
      await signedBy('aaaaaa', 'bbbbbb', 'gggggg', 'hhhhhh');
      assert.equal(await statusNow(), 403);
      // Only now: it must not expire before it was used.
      await secrets.update({
        ...(await secrets.get('bootstrap-token-gggggg')),
        stringData: { expiration: inTime(1500) },
      });
      await signedBy('aaaaaa', 'bbbbbb', 'hhhhhh');
      await eventually('the end of the secret', () =>
        secrets.get('bootstrap-token-gggggg').then(
          () => false,
          () => true,
        ),
      );
      assert.equal(await statusNow(), 401);
      await secrets.get('bootstrap-token-hhhhhh');
    });
  });
}

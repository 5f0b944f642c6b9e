import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ResourceClient } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { ApiClient, findKubectls, run } from '@orch/testkit';
import { type Cluster, controllers, eventually, startCluster } from './accounts-cluster.ts';

const kubectl = (await findKubectls(join(import.meta.dirname, '..', '..'))).at(-1);

const core = (resource: string, kind: string) => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced: kind !== 'Namespace',
});
const namespaces = core('namespaces', 'Namespace');
const accounts = core('serviceaccounts', 'ServiceAccount');
const secrets = core('secrets', 'Secret');
const configMaps = core('configmaps', 'ConfigMap');

const read = async (client: ResourceClient, name: string): Promise<ApiObject | undefined> =>
  client.get(name).catch(() => undefined);

const object = (kind: string, name: string, more: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name },
  ...more,
});

for (const naming of ['orch', 'kubernetes'] as const) {
  describe(`service accounts of namespaces (${naming})`, { timeout: 120_000 }, () => {
    let cluster: Cluster;
    let managers: AsyncDisposable[];

    before(async () => {
      cluster = await startCluster({ naming });
      const names = ['serviceaccount', 'serviceaccount-token', 'root-ca-cert-publisher'];
      // Two of each, which do not know of each other.
      managers = [await cluster.manage(controllers(...names)), await cluster.manage(controllers(...names))];
    });
    after(async () => {
      await Promise.all(managers.map((one) => one[Symbol.asyncDispose]()));
      await cluster[Symbol.asyncDispose]();
    });

    const inNamespace = (resource: typeof accounts, namespace: string) =>
      cluster.as().resource(resource, namespace);

    /** With the real client under its naming; it supports no other. */
    const createNamespace = async (name: string): Promise<void> => {
      if (naming === 'orch' || kubectl === undefined)
        return void (await cluster.as().resource(namespaces).create(object('Namespace', name)));
      const env = { KUBECONFIG: cluster.server.adminConfig, HOME: cluster.work };
      const made = await run(kubectl.path, ['create', 'namespace', name], { env });
      assert.equal(made.code, 0, made.stderr);
    };

    it('a new namespace gets a default account and the root certificate', async () => {
      await createNamespace('team');
      await eventually('the account', () => read(inNamespace(accounts, 'team'), 'default'));
      const map = await eventually('the certificate', () =>
        read(inNamespace(configMaps, 'team'), cluster.names.objects.rootCa),
      );
      assert.deepEqual(map['data'], { 'ca.crt': cluster.authority.cert });
    });

    it('the default account and the root certificate are created in existing namespaces, and again when they are deleted', async () => {
      const { names } = cluster;
      const client = inNamespace(accounts, names.namespaces.system);
      const first = await eventually('the account', () => read(client, 'default'));
      await client.delete('default');
      const second = await eventually('the account again', async () => {
        const found = await read(client, 'default');
        return found?.metadata.uid === first.metadata.uid ? undefined : found;
      });
      assert.notEqual(second.metadata.uid, first.metadata.uid);
      const maps = inNamespace(configMaps, names.namespaces.system);
      await maps.delete(names.objects.rootCa);
      await eventually('the certificate again', () => read(maps, names.objects.rootCa));
    });

    it('a changed root certificate is restored, and labels of the config map are kept', async () => {
      const maps = inNamespace(configMaps, 'default');
      const name = cluster.names.objects.rootCa;
      await eventually('the certificate', () => read(maps, name));
      await maps.patch.merge(name, {
        metadata: { labels: { mine: 'yes' } },
        data: { 'ca.crt': 'forged', other: 'x' },
        binaryData: { more: 'AA==' },
      });
      const right = await eventually('the right certificate', async () => {
        const found = await read(maps, name);
        return JSON.stringify(found?.['data']) === JSON.stringify({ 'ca.crt': cluster.authority.cert })
          ? found
          : undefined;
      });
      assert.equal(right['binaryData'], undefined);
      assert.deepEqual(right.metadata.labels, { mine: 'yes' });
    });

    it('no default account is created in a terminating namespace', async () => {
      const client = cluster.as().resource(namespaces);
      const held = { finalizers: [cluster.names.finalizers.namespace] };
      await client.create(object('Namespace', 'ending', { spec: held }));
      const inside = inNamespace(accounts, 'ending');
      await eventually('the account', () => read(inside, 'default'));
      await client.delete('ending');
      await inside.delete('default');
      // Namespaces are processed in order: when a later one has its account, this one has been processed.
      await client.create(object('Namespace', 'later'));
      await eventually('the later account', () => read(inNamespace(accounts, 'later'), 'default'));
      assert.equal(await read(inside, 'default'), undefined);
    });

    const tokenSecret = (name: string, account: string): ApiObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, annotations: { [cluster.names.annotations.serviceAccountName]: account } },
      type: cluster.names.secretTypes.serviceAccountToken,
    });

    const tokenIn = (secret: ApiObject | undefined): string | undefined => {
      const { token } = (secret?.['data'] ?? {}) as Record<string, string>;
      return token === undefined ? undefined : Buffer.from(token, 'base64').toString();
    };

    /** The status of a request whose only credential is a token. */
    const statusWith = async (token: string): Promise<number> => {
      using client = new ApiClient({ ...cluster.server.config, cert: undefined, key: undefined, token });
      return (await client.get('/api/v1/namespaces/default/pods')).status;
    };

    it('a secret with the service account annotation gets a token that is valid until the secret is deleted', async () => {
      const { names } = cluster;
      const client = inNamespace(secrets, 'default');
      const account = await eventually('the account', () =>
        read(inNamespace(accounts, 'default'), 'default'),
      );
      await client.create(tokenSecret('extra', 'default'));
      const filled = await eventually('the token', async () => {
        const found = await read(client, 'extra');
        return tokenIn(found) === undefined ? undefined : found;
      });
      const data = filled['data'] as Record<string, string>;
      assert.equal(Buffer.from(data['namespace'] ?? '', 'base64').toString(), 'default');
      assert.equal(Buffer.from(data['ca.crt'] ?? '', 'base64').toString(), cluster.authority.cert);
      assert.equal(filled.metadata.annotations?.[names.annotations.serviceAccountUid], account.metadata.uid);
      const token = tokenIn(filled) ?? '';
      // Authenticated without permissions: a valid token is answered with 403, an invalid one with 401.
      assert.equal(await statusWith(token), 403);
      await client.delete('extra');
      assert.equal(await statusWith(token), 401);
      // A new secret of the same name does not make the old token valid again.
      await client.create(tokenSecret('extra', 'default'));
      const again = await eventually('another token', async () => tokenIn(await read(client, 'extra')));
      assert.equal(await statusWith(again), 403);
      assert.equal(await statusWith(token), 401);
    });

    it('two managers issue one token for each token secret', async () => {
      const client = inNamespace(secrets, 'default');
      const made = Array.from({ length: 20 }, (_, i) => `raced-${i}`);
      const first = await client.create(tokenSecret('raced', 'default'));
      const seen = new Map<string, Set<string>>();
      const abort = new AbortController();
      const watching = (async () => {
        const events = client.watch({ resourceVersion: first.metadata.resourceVersion ?? '' }, abort.signal);
        for await (const { object: secret } of events) {
          const token = tokenIn(secret);
          const name = secret.metadata.name ?? '';
          if (token !== undefined) seen.set(name, (seen.get(name) ?? new Set()).add(token));
        }
      })().catch(() => undefined);
      await Promise.all(made.map((name) => client.create(tokenSecret(name, 'default'))));
      await eventually('all tokens', async () => made.every((name) => seen.has(name)));
      // Secrets are processed in order, so that a second token would have been issued by now.
      await client.create(tokenSecret('after', 'default'));
      await eventually('a later token', async () => seen.has('after'));
      abort.abort();
      await watching;
      for (const name of made) assert.equal(seen.get(name)?.size, 1, name);
    });

    it('token secrets are deleted with their service account, and those of a later account of the same name are kept', async () => {
      const inAccounts = inNamespace(accounts, 'default');
      const inSecrets = inNamespace(secrets, 'default');
      await inAccounts.create(object('ServiceAccount', 'robot'));
      await inSecrets.create(tokenSecret('old', 'robot'));
      const old = await eventually('the token', async () => tokenIn(await read(inSecrets, 'old')));
      await inAccounts.delete('robot');
      await inAccounts.create(object('ServiceAccount', 'robot'));
      await eventually('the end of the secret', async () => (await read(inSecrets, 'old')) === undefined);
      assert.equal(await statusWith(old), 401);
      await inSecrets.create(tokenSecret('new', 'robot'));
      const fresh = await eventually('the new token', async () => tokenIn(await read(inSecrets, 'new')));
      assert.equal(await statusWith(fresh), 403);
    });

    it('a token secret of a service account that does not exist is deleted', async () => {
      const client = inNamespace(secrets, 'default');
      await client.create(tokenSecret('stray', 'absent'));
      await eventually('its end', async () => (await read(client, 'stray')) === undefined);
    });

    it('the reference to a deleted token secret is removed from its service account, and other references are kept', async () => {
      const inAccounts = inNamespace(accounts, 'default');
      const inSecrets = inNamespace(secrets, 'default');
      const references = [{ name: 'not-made-yet' }, { name: 'listed' }];
      await inAccounts.create(object('ServiceAccount', 'lister', { secrets: references }));
      await inSecrets.create(tokenSecret('listed', 'lister'));
      await eventually('the token', async () => tokenIn(await read(inSecrets, 'listed')));
      await inSecrets.delete('listed');
      const kept = await eventually('the reference to go', async () => {
        const found = (await read(inAccounts, 'lister'))?.['secrets'] as object[];
        return found.length === 1 ? found : undefined;
      });
      assert.deepEqual(kept, [{ name: 'not-made-yet' }]);
    });

    it('no token secret is created for service accounts in the current release', async () => {
      const all = await inNamespace(secrets, 'later').list();
      assert.deepEqual(all.items, []);
    });
  });
}

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fenceHeader, formatFence } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import { type EtcdCluster, startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServer, run, temporaryFolder, type WatchEvent } from '@orch/testkit';

interface Metadata {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly continue?: string;
}

interface Body {
  readonly metadata: Metadata;
  readonly items: readonly { readonly metadata: Metadata }[];
  readonly message?: string;
}

const DEADLINE_MS = 60_000;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const EVENTS = '/api/v1/namespaces/default/events';
const MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

const lease = (name: string) => ({ metadata: { name }, spec: { holderIdentity: name } });
const map = (name: string) => ({ metadata: { name }, data: { name } });
const widget = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } });
const event = (name: string, namespace = 'default') => ({
  metadata: { name },
  involvedObject: { kind: 'ConfigMap', name, namespace },
  type: 'Normal',
  reason: 'Test',
});

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

interface StoredKey {
  readonly key: string;
  readonly mod_revision: string;
}

/** The keys of an etcd with a prefix below that of the server. */
async function storedIn(etcd: EtcdCluster, prefix: string): Promise<readonly StoredKey[]> {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const start = `/registry/${prefix}`;
  const [member] = etcd.members;
  assert.ok(member);
  const { body } = await member.http('POST', '/v3/kv/range', {
    key: base64(start),
    range_end: base64(`${start.slice(0, -1)}0`),
    keys_only: true,
  });
  const { kvs = [] } = JSON.parse(body) as { readonly kvs?: readonly StoredKey[] };
  const below = (key: string): string => Buffer.from(key, 'base64').toString().slice('/registry/'.length);
  return kvs.map((kv) => ({ ...kv, key: below(kv.key) }));
}

const keysIn = async (etcd: EtcdCluster, prefix: string): Promise<readonly string[]> =>
  (await storedIn(etcd, prefix)).map(({ key }) => key);

describe('resources in a separate etcd', { timeout: 240_000 }, () => {
  let main: EtcdCluster;
  let other: EtcdCluster;
  let server: LaunchedServer;
  const folder = temporaryFolder();
  const overridesOf = (etcd: EtcdCluster): readonly string[] =>
    ['coordination.k8s.io/leases', '/events', 'example.com/widgets'].map(
      (resource) => `${resource}#${etcd.endpoints.join(';')}`,
    );
  const launch = (args: readonly string[], threads = 1): Promise<LaunchedServer> =>
    launchServer({
      threads,
      program: 'orch',
      requiresAccounts: false,
      naming: 'kubernetes',
      etcd: main.endpoints,
      certDir: join(folder.path, 'certs'),
      args: ['--history-retention=1h', ...args],
    });
  const overrideArgs = (etcd: EtcdCluster): readonly string[] => [
    `--etcd-servers-overrides=${overridesOf(etcd).join()}`,
  ];
  const orch = (...argv: readonly string[]) =>
    run(join(import.meta.dirname, '..', '..', 'bin', 'orch'), [
      ...argv,
      '--naming=kubernetes',
      '--output=json',
    ]);
  const storeArgs = (args: readonly string[]): readonly string[] => [
    `--etcd-servers=${main.endpoints.join()}`,
    ...args,
  ];

  const bodyOf = async (path: string): Promise<Body> => {
    const { status, text } = await server.client.get(path);
    assert.equal(status, 200, text);
    return JSON.parse(text) as Body;
  };
  const create = async (path: string, object: object): Promise<Body> => {
    const { status, text } = await server.client.post(path, object);
    assert.equal(status, 201, text);
    return JSON.parse(text) as Body;
  };
  const namesIn = async (path: string): Promise<readonly string[]> =>
    (await bodyOf(path)).items
      .map(({ metadata }) => metadata.name)
      .filter((name) => name !== 'kube-root-ca.crt');

  before(async () => {
    [main, other] = await Promise.all([startEtcd(), startEtcd()]);
    server = await launch(overrideArgs(other), 2);
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
    await poll('the definition is served', DEADLINE_MS, async () => {
      assert.equal((await server.client.get(WIDGETS)).status, 200);
      return true;
    });
  });

  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await Promise.all([main, other].map((etcd) => etcd?.[Symbol.asyncDispose]()));
    folder[Symbol.dispose]();
  });

  it('objects are in the store of their resource, with the resourceVersions of that store', async () => {
    for (const name of ['a', 'b', 'c']) {
      await create(LEASES, lease(name));
      await create(MAPS, map(name));
    }
    await create(EVENTS, event('a'));
    await create(WIDGETS, widget('a'));
    assert.deepEqual(await keysIn(main, 'leases.coordination/'), []);
    assert.deepEqual(await keysIn(main, 'events/'), []);
    assert.deepEqual(await keysIn(main, 'widgets.example.com/'), []);
    assert.deepEqual(await keysIn(other, 'widgets.example.com/'), ['widgets.example.com/default/a']);
    assert.deepEqual(await keysIn(other, 'configmaps/'), []);
    await create(MAPS, map('d'));
    for (const [etcd, prefix, path] of [
      [main, 'configmaps/default/', `${MAPS}/d`],
      [other, 'leases.coordination/default/', `${LEASES}/a`],
    ] as const) {
      const { name, resourceVersion } = (await bodyOf(path)).metadata;
      const stored = (await storedIn(etcd, prefix)).find(({ key }) => key === prefix + name);
      assert.equal(stored?.mod_revision, resourceVersion);
    }
  });

  it('a list of a resource in another store continues at its revision', async () => {
    const first = await bodyOf(`${LEASES}?limit=2`);
    await create(LEASES, lease('later'));
    const rest = await bodyOf(
      `${LEASES}?limit=500&continue=${encodeURIComponent(first.metadata.continue ?? '')}`,
    );
    assert.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion);
    const names = [...first.items, ...rest.items].map(({ metadata }) => metadata.name);
    assert.deepEqual(
      names.filter((name) => name.length === 1),
      ['a', 'b', 'c'],
    );
    assert.ok(!names.includes('later'));
  });

  it('a watch of a resource in another store delivers its changes after the revision of its list', async () => {
    const { resourceVersion } = (await bodyOf(LEASES)).metadata;
    const stale = await bodyOf(`${LEASES}/b`);
    const patch = (holder: string) =>
      server.client.send('PATCH', `${LEASES}/b`, {
        body: { spec: { holderIdentity: holder } },
        contentType: 'application/merge-patch+json',
      });
    assert.equal((await patch('one')).status, 200);
    const stop = new AbortController();
    const path = `${LEASES}?watch=1&resourceVersion=${resourceVersion}&fieldSelector=metadata.name%3Db`;
    const seen: WatchEvent[] = [];
    for await (const change of server.client.watch(path, stop.signal)) {
      seen.push(change);
      if (seen.length === 2) break;
      assert.equal((await patch('two')).status, 200);
    }
    stop.abort();
    assert.deepEqual(
      seen.map(({ object }) => (object['spec'] as { holderIdentity: string }).holderIdentity),
      ['one', 'two'],
    );
    assert.equal((await server.client.put(`${LEASES}/b`, stale)).status, 409);
  });

  it('a fenced write is refused after the Lease in another store has another holder', async () => {
    const made = await create(LEASES, {
      metadata: { name: 'fence' },
      spec: { holderIdentity: 'one', leaseTransitions: 1 },
    });
    const { uid } = made.metadata;
    const fence = formatFence({ namespace: 'default', name: 'fence', uid, holder: 'one', transitions: 1 });
    const write = (name: string) =>
      server.client.post(MAPS, map(name), { headers: { [fenceHeader]: fence } });
    const held = await write('fenced');
    assert.equal(held.status, 201, held.text);
    await server.client.delete(`${MAPS}/fenced`);
    await server.client.send('PATCH', `${LEASES}/fence`, {
      body: { spec: { holderIdentity: 'two', leaseTransitions: 2 } },
      contentType: 'application/merge-patch+json',
    });
    assert.equal((await write('late')).status, 409);
  });

  it('a namespace with content in several stores is deleted completely', async () => {
    await create('/api/v1/namespaces', { metadata: { name: 'full' } });
    const inFull = (path: string): string => path.replace('/default/', '/full/');
    await create(inFull(MAPS), map('x'));
    await create(inFull(LEASES), lease('x'));
    await create(inFull(WIDGETS), widget('x'));
    await create(inFull(EVENTS), event('x', 'full'));
    assert.equal((await server.client.delete('/api/v1/namespaces/full')).status, 200);
    await poll('the namespace is gone', DEADLINE_MS, async () => {
      assert.equal((await server.client.get('/api/v1/namespaces/full')).status, 404);
      return true;
    });
    for (const resource of ['leases.coordination', 'events', 'widgets.example.com'])
      assert.deepEqual(await keysIn(other, `${resource}/full/`), []);
    assert.deepEqual(await keysIn(main, 'configmaps/full/'), []);
  });

  it('health checks and metrics name each store', async () => {
    const { text } = await server.client.get('/readyz?verbose');
    assert.match(text, /\[\+\]etcd ok\n/);
    assert.match(text, /\[\+\]etcd-override-0 ok\n/);
    assert.doesNotMatch((await server.client.get('/livez?verbose')).text, /etcd-override/);
    const components = await namesIn('/api/v1/componentstatuses');
    assert.deepEqual(
      components.filter((name) => name.startsWith('etcd')),
      ['etcd-0', 'etcd-1'],
    );
    await poll('both sizes are known', DEADLINE_MS, async () => {
      const metrics = (await server.client.get('/metrics')).text;
      for (const etcd of [main, other])
        assert.match(
          metrics,
          new RegExp(`etcd_db_total_size_in_bytes\\{endpoint="${etcd.endpoints.join()}"\\} \\d`),
        );
      return true;
    });
  });

  it('without its store, a resource is unavailable and the others are not, until the store returns', async () => {
    const [member] = other.members;
    assert.ok(member);
    await member.kill();
    await create(MAPS, map('e'));
    assert.equal((await bodyOf(`${MAPS}/e`)).metadata.name, 'e');
    const refused = await server.client.post(LEASES, lease('d'));
    assert.ok([500, 503, 504].includes(refused.status), refused.text);
    await poll('the server is not ready', DEADLINE_MS, async () => {
      const { status, text } = await server.client.get('/readyz');
      assert.equal(status, 500);
      assert.match(text, /\[-\]etcd-override-0 failed/);
      assert.match(text, /\[\+\]etcd ok\n/);
      return true;
    });
    assert.equal((await server.client.get('/livez')).status, 200);
    await member.restart();
    await poll('the lease is created', DEADLINE_MS, async () => {
      const { status, text } = await server.client.post(LEASES, lease('d'));
      assert.ok([201, 409].includes(status), text);
      assert.equal((await server.client.get('/readyz')).status, 200);
      return true;
    });
  });

  it('a backup has the objects of all stores, and a restore places them by the flags', async () => {
    const file = join(folder.path, 'all.orchbak');
    await create(WIDGETS, widget('kept'));
    const made = await orch('backup', file, ...storeArgs(overrideArgs(other)));
    assert.equal(made.code, 0, made.stderr);
    const streamed = await orch(
      'backup',
      join(folder.path, 'streamed.orchbak'),
      `--client-config=${server.adminConfig}`,
    );
    assert.equal(streamed.code, 0, streamed.stderr);
    await create(WIDGETS, widget('lost'));
    await create(MAPS, map('lost'));
    const before = Number((await bodyOf(WIDGETS)).metadata.resourceVersion);
    await server.stop();
    await server[Symbol.asyncDispose]();
    const again = ['restore', file, '--replace', ...storeArgs(overrideArgs(other))];
    const restored = await orch(...again);
    assert.equal(restored.code, 0, restored.stderr);
    const { stores } = JSON.parse(restored.stdout) as { readonly stores: readonly unknown[] };
    assert.equal(stores.length, 2);
    server = await launch(overrideArgs(other));
    assert.deepEqual(await namesIn(WIDGETS), ['a', 'kept']);
    assert.deepEqual(await namesIn(MAPS), ['a', 'b', 'c', 'd', 'e']);
    assert.ok(Number((await bodyOf(WIDGETS)).metadata.resourceVersion) > before);
    const gone = await server.client.get(`${WIDGETS}?watch=1&resourceVersion=${before}`);
    assert.match(gone.text, /"code":410/);
  });

  it('a server does not start with flags that would hide objects, until they were moved', async () => {
    const leases = (await namesIn(LEASES)).filter((name) => name.length === 1);
    const before = Number((await bodyOf(LEASES)).metadata.resourceVersion);
    const running = await orch('migrate', '--by-resource', ...storeArgs([]));
    assert.equal(running.code, 1);
    assert.match(running.stderr, /a server uses the store: stop all servers first/);
    await server[Symbol.asyncDispose]();
    await assert.rejects(
      launch([]),
      /servers have stored .*leases\.coordination in etcd at [^ ]* and not in the main store, .* delete the key \/registry~resource-stores/,
    );
    await assert.rejects(
      launch([`--etcd-servers-overrides=/configmaps#${other.endpoints[0]},${overridesOf(other).join()}`]),
      /objects are in other stores .* keys from \/registry\/configmaps\/.*orch migrate --by-resource/,
    );
    await assert.rejects(
      launch([`--etcd-servers-overrides=/pods#${main.endpoints[0]?.replace('127.0.0.1', 'localhost')}`]),
      /is the same store as|servers have stored/,
    );
    const moved = await orch('migrate', '--by-resource', ...storeArgs([]));
    assert.equal(moved.code, 0, moved.stderr);
    await assert.rejects(
      launch(overrideArgs(other)),
      /servers have stored events in the main store and not in etcd at/,
    );
    server = await launch([]);
    assert.deepEqual(
      (await namesIn(LEASES)).filter((name) => name.length === 1),
      leases,
    );
    assert.deepEqual(await namesIn(WIDGETS), ['a', 'kept']);
    assert.equal((await bodyOf(`${EVENTS}/a`)).metadata.name, 'a');
    assert.ok(Number((await bodyOf(LEASES)).metadata.resourceVersion) > before);
    assert.deepEqual(await keysIn(other, 'widgets.example.com/'), []);
  });
});

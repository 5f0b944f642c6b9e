import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import { isEnvelope } from '@orch/schema';
import { prefixRange, readable, type Store } from '@orch/storage';
import { openEmbeddedStore } from '@orch/storage/embedded';
import { openEtcdStore } from '@orch/storage/etcd';
import { startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, type LaunchOptions, launchServer } from '@orch/testkit';

const pods = '/api/v1/namespaces/default/pods';
const never = new AbortController().signal;
const mediaTypes = { json: 'application/json', protobuf: 'application/vnd.orch.protobuf' } as const;
type Encoding = keyof typeof mediaTypes;
const other = (encoding: Encoding): Encoding => (encoding === 'json' ? 'protobuf' : 'json');

const launch = (encoding: Encoding, options: LaunchOptions): Promise<LaunchedServer> =>
  launchServer({ ...options, args: [`--storage-media-type=${mediaTypes[encoding]}`] });

const pod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'x' }, annotations: { note: 'ümläut <&>' } },
  spec: {
    nodeName: 'n1',
    containers: [
      { name: 'c', image: 'i', resources: { limits: { cpu: '1.5' } }, env: [{ name: 'A', value: '' }] },
    ],
  },
});

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}
interface List {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Item[];
}

const listed = async (server: LaunchedServer, query = ''): Promise<List> => {
  const answer = await server.client.get(`${pods}${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as List;
};

async function created(server: LaunchedServer, name: string): Promise<Item> {
  const answer = await server.client.post(pods, pod(name));
  assert.equal(answer.status, 201, answer.text);
  return answer.json as Item;
}

/** The stored encoding of every pod. */
async function storedAs(store: Store, prefix = '/registry/'): Promise<Record<string, Encoding>> {
  const { items } = await store.list(prefixRange(`${prefix}pods/`), {}, never);
  return Object.fromEntries(
    items.map((kv) => [kv.key.split('/').at(-1), isEnvelope(readable(kv).value) ? 'protobuf' : 'json']),
  );
}

describe('flag --storage-media-type', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-media-'));
  const certDir = join(folder, 'certs');
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const first of ['json', 'protobuf'] as const) {
    it(`--storage-media-type may change from ${first} between starts on the embedded store without any other change`, async () => {
      const dataDir = join(folder, first);
      const before: Item[] = [];
      {
        await using server = await launch(first, { dataDir, certDir });
        for (const name of ['a', 'b']) before.push(await created(server, name));
        await server.stop();
      }
      {
        await using server = await launch(other(first), { dataDir, certDir });
        assert.deepEqual((await listed(server)).items, before);
        const selected = await listed(server, '?fieldSelector=spec.nodeName%3Dn1&labelSelector=app%3Dx');
        assert.equal(selected.items.length, 2);
        before.push(await created(server, 'c'));
        const same = await server.client.put(`${pods}/a`, before[0] ?? {});
        assert.equal(same.status, 200, same.text);
        before[0] = same.json as Item;
        assert.equal((await server.client.delete(`${pods}/b?gracePeriodSeconds=0`)).status, 200);
        before.splice(1, 1);
        await server.stop();
      }
      {
        const store = await openEmbeddedStore({ dir: dataDir, env: testEnv({ seed: 1 }) });
        const stored = await storedAs(store);
        await store.close();
        assert.deepEqual(stored, { a: other(first), c: other(first) });
      }
      await using server = await launch(first, { dataDir, certDir });
      assert.deepEqual((await listed(server)).items, before);
    });
  }

  it('replicas on one etcd with different --storage-media-type read and watch the writes of each other', async () => {
    await using etcd = await startEtcd();
    const options = { etcd: etcd.endpoints, certDir };
    const replicas = { json: await launch('json', options), protobuf: await launch('protobuf', options) };
    await using _json = replicas.json;
    await using _protobuf = replicas.protobuf;
    const start = (await listed(replicas.json)).metadata.resourceVersion;
    const seen = (['json', 'protobuf'] as const).map(async (encoding) => {
      const events: unknown[] = [];
      const watch = `${pods}?watch=1&resourceVersion=${start}`;
      for await (const { type, object } of replicas[encoding].client.watch(
        watch,
        AbortSignal.timeout(30_000),
      )) {
        events.push([type, object]);
        if (events.length === 8) break;
      }
      return events;
    });
    // They end with the servers when something else fails first.
    for (const watch of seen) watch.catch(() => {});
    for (const writer of ['json', 'protobuf'] as const) {
      const reader = replicas[other(writer)];
      const made = await created(replicas[writer], `by-${writer}`);
      const got = await reader.client.get(`${pods}/by-${writer}`);
      assert.deepEqual(got.json, made);
      const patch = { metadata: { labels: { by: 'the-other' } } };
      const patched = await reader.client.send('PATCH', `${pods}/by-${writer}`, {
        body: patch,
        contentType: 'application/merge-patch+json',
      });
      assert.equal(patched.status, 200, patched.text);
      assert.deepEqual((await replicas[writer].client.get(`${pods}/by-${writer}`)).json, patched.json);
    }
    const store = await openEtcdStore({ endpoints: etcd.endpoints, env: testEnv({ seed: 2 }) }, never);
    try {
      assert.deepEqual(await storedAs(store), { 'by-json': 'protobuf', 'by-protobuf': 'json' });
      const exact = await listed(replicas.json);
      const query = `?resourceVersion=${exact.metadata.resourceVersion}&resourceVersionMatch=Exact`;
      for (const name of ['by-json', 'by-protobuf'])
        for (const delay of ['?gracePeriodSeconds=5', '?gracePeriodSeconds=0'])
          assert.equal((await replicas.json.client.delete(`${pods}/${name}${delay}`)).status, 200);
      for (const encoding of ['json', 'protobuf'] as const)
        assert.deepEqual((await listed(replicas[encoding], query)).items, exact.items);
      const [one, two] = await Promise.all(seen);
      assert.deepEqual(one, two);
      // A replica that starts now has no state: it reads it from the store.
      await using late = await launch('protobuf', options);
      assert.deepEqual((await listed(late, query)).items, exact.items);
      const again: unknown[] = [];
      const watch = `${pods}?watch=1&resourceVersion=${start}`;
      for await (const { type, object } of late.client.watch(watch, AbortSignal.timeout(30_000))) {
        again.push([type, object]);
        if (again.length === 8) break;
      }
      assert.deepEqual(again, one);
    } finally {
      await store.close();
    }
  });
});

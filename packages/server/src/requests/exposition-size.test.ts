import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createServer, metricsRoute } from '@orch/pipeline';
import { localRequest } from '@orch/request';
import { ApiFixture } from '../testing/index.ts';

const samples = (api: ApiFixture): number =>
  api.env.metrics
    .text()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')).length;

/** Collections of everything that is listed, by discovery. */
async function collections(api: ApiFixture): Promise<readonly string[]> {
  const groups = (await api.get('/apis')).json.groups as { versions: { groupVersion: string }[] }[];
  const bases = [
    '/api/v1',
    ...groups.flatMap(({ versions }) => versions.map((v) => `/apis/${v.groupVersion}`)),
  ];
  const found: string[] = [];
  for (const base of bases) {
    for (const { name, verbs } of (await api.get(base)).json.resources as {
      name: string;
      verbs: string[];
    }[]) {
      if (verbs.includes('list') && verbs.includes('watch')) found.push(`${base}/${name}`);
    }
  }
  return found;
}

/** The requests of informers of every resource: a list and a watch that ends. */
async function follow(api: ApiFixture, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    assert.equal((await api.get(path)).status, 200);
    const watching = await api.watch(`${path}?watch=1&resourceVersion=1`);
    watching.stop();
    await watching.ended;
  }
}

describe('size of the metrics exposition', () => {
  it('lists and watches of every resource create a bounded number of series per resource', async () => {
    await using api = await ApiFixture.open();
    const before = samples(api);
    const paths = await collections(api);
    assert.ok(paths.length > 40, `${paths.length} resources`);
    await follow(api, paths);
    const once = samples(api);
    // A list has two histograms (24 and 8 buckets, sum and count each) and six counters, a watch three counters or gauges.
    assert.ok(once - before <= paths.length * 55, `${once - before} samples for ${paths.length} resources`);
    await follow(api, paths);
    assert.equal(samples(api), once, 'the same requests again make no series');
  });

  it('the objects of a resource are counted in one series', async () => {
    await using api = await ApiFixture.open();
    const lines = api.env.metrics.text().match(/^apiserver_storage_objects\{resource="leases.*$/gm);
    assert.deepEqual(lines, ['apiserver_storage_objects{resource="leases.coordination.orch.io"} 0']);
  });

  it('text of clients creates no series: paths, verbs, names, agents, parameters', async () => {
    await using api = await ApiFixture.open();
    const sendRequest = async (i: number): Promise<void> => {
      const maps = '/api/v1/namespaces/default/configmaps';
      const agent = { headers: { 'user-agent': `agent-${i}` } };
      await api.get(`/made/up/${i}`);
      await api.get(`/apis/group-${i}.example/v1/things`);
      await api.get(`/api/v1/namespaces/ns-${i}/things-${i}/name`);
      await api.get(`${maps}/none-${i}`, agent);
      await api.get(`${maps}?labelSelector=a%3D${i}`, agent);
      await api.get(`${maps}/a/sub-${i}`);
      await api.send(`VERB${i}`, maps);
      await api.post(`${maps}?dryRun=All&fieldManager=m-${i}`, { metadata: { name: `n-${i}` } });
    };
    await sendRequest(0);
    const once = samples(api);
    for (let i = 1; i <= 20; i++) await sendRequest(i);
    assert.equal(samples(api), once);
  });

  it('the exposition is compressed for clients that accept it', async () => {
    await using api = await ApiFixture.open();
    const { env, names } = api;
    const server = createServer({
      env,
      names,
      authenticator: {
        authenticate: () => ({ kind: 'user', user: { name: 'a', uid: '', groups: [], extra: {} } }),
      },
      authorizer: { authorize: () => ({ verdict: 'allow', reason: '' }) },
      resources: () => assert.fail('no resource is requested'),
      servesResource: () => false,
      routes: [metricsRoute(env.metrics)],
      apiPaths: () => [],
      requestTimeoutMs: 1000,
      maxRequestsInflight: 1,
      maxMutatingRequestsInflight: 1,
      parseDuration: () => undefined,
    });
    const scrape = async (encoding: string) => {
      const reply = await server.handle(
        localRequest({ method: 'GET', target: '/metrics', headers: { 'accept-encoding': encoding } }),
      );
      assert.ok(reply.kind === 'bytes');
      return reply;
    };
    const packed = await scrape('gzip');
    assert.equal(packed.headers['Content-Encoding'], 'gzip');
    assert.match(gunzipSync(packed.body).toString(), /^apiserver_storage_objects\{/m);
    const plain = await scrape('identity');
    assert.equal(plain.headers['Content-Encoding'], undefined);
    assert.ok(plain.body.length > 4 * packed.body.length);
    server.close();
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Naming, namesFor } from '@orch/machinery';
import { type Reply, type Seen, type Served, served } from '../rest/testing/served.ts';

const resource = (name: string, kind: string, rest: object = {}): object => ({
  resource: name,
  responseKind: { group: '', version: '', kind },
  scope: 'Namespaced',
  verbs: ['get', 'list'],
  ...rest,
});

const core = [
  {
    metadata: {},
    versions: [
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          resource('pods', 'Pod', {
            shortNames: ['po'],
            categories: ['all'],
            subresources: [{ subresource: 'status' }, { subresource: 'log' }],
          }),
          resource('nodes', 'Node', { scope: 'Cluster' }),
        ],
      },
    ],
  },
];

const groups = [
  {
    metadata: { name: 'apps' },
    versions: [
      { version: 'v1', resources: [resource('deployments', 'Deployment')] },
      {
        version: 'v1beta1',
        resources: [resource('deployments', 'Deployment'), resource('oldies', 'Oldie')],
      },
    ],
  },
  { metadata: { name: 'metrics' }, versions: [{ version: 'v1', freshness: 'Stale', resources: [] }] },
];

/** A server of the aggregated form. */
const aggregated = ({ target, headers }: Seen): Reply => {
  if (headers['if-none-match'] === '"tag"') return { status: 304, body: '' };
  return {
    headers: { etag: '"tag"' },
    body: { kind: 'APIGroupDiscoveryList', items: target === '/api' ? core : groups },
  };
};

/** A server that supports only the unaggregated format. */
const older = ({ target }: Seen): Reply => {
  const list = (resources: readonly object[]): Reply => ({ body: { kind: 'APIResourceList', resources } });
  const entry = (name: string, kind: string, rest: object = {}): object => ({
    name,
    kind,
    namespaced: true,
    verbs: ['get', 'list'],
    ...rest,
  });
  const version = (v: string): object => ({ groupVersion: `apps/${v}`, version: v });
  const bodies: Record<string, Reply> = {
    '/api': { body: { kind: 'APIVersions', versions: ['v1'] } },
    '/apis': {
      body: {
        kind: 'APIGroupList',
        groups: [
          {
            name: 'apps',
            versions: [version('v1beta1'), version('v1')],
            preferredVersion: version('v1'),
          },
          { name: 'metrics', versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } },
        ],
      },
    },
    '/api/v1': list([
      entry('pods', 'Pod', { shortNames: ['po'], categories: ['all'] }),
      entry('pods/status', 'Pod'),
      entry('pods/log', 'Pod'),
      entry('nodes', 'Node', { namespaced: false }),
    ]),
    '/apis/apps/v1': list([entry('deployments', 'Deployment')]),
    '/apis/apps/v1beta1': list([entry('deployments', 'Deployment'), entry('oldies', 'Oldie')]),
    '/apis/metrics/v1': { status: 503, body: 'service unavailable' },
  };
  return bodies[target] ?? { status: 404 };
};

const common = { singular: '', verbs: ['get', 'list'], shortNames: [], categories: [], subresources: [] };
const pods = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  singular: '',
  verbs: ['get', 'list'],
  shortNames: ['po'],
  categories: ['all'],
  subresources: ['status', 'log'],
};
const nodes = { group: '', version: 'v1', resource: 'nodes', kind: 'Node', namespaced: false, ...common };
const apps = (version: string, name: string, kind: string) => ({
  group: 'apps',
  version,
  resource: name,
  kind,
  namespaced: true,
  ...common,
});

describe('discovery of resources', () => {
  for (const [what, answer] of [
    ['the aggregated form', aggregated],
    ['one document per version', older],
  ] as const) {
    it(`discovery returns all resources and failed parts: ${what}`, async () => {
      await using api = await served(answer);
      const { all, preferred, failed } = await api.client.discovery.read();
      const newest = apps('v1', 'deployments', 'Deployment');
      const [old, oldie] = [apps('v1beta1', 'deployments', 'Deployment'), apps('v1beta1', 'oldies', 'Oldie')];
      assert.deepEqual(all, [pods, nodes, newest, old, oldie]);
      assert.deepEqual(preferred, [pods, nodes, newest, oldie]);
      assert.deepEqual([...failed.keys()], ['metrics/v1']);
      assert.match(failed.get('metrics/v1') ?? '', /does not answer|503/);
    });
  }

  for (const naming of ['orch', 'kubernetes'] as const satisfies readonly Naming[]) {
    it(`discovery requests the aggregated form, with JSON as the last choice (${naming})`, async () => {
      await using api = await served(aggregated, { naming });
      await api.client.discovery.read();
      const form = (version: string): string =>
        `application/json;g=${namesFor(naming).groups.apidiscovery};v=${version};as=APIGroupDiscoveryList`;
      for (const { headers } of api.seen)
        assert.equal(headers.accept, `${form('v2')},${form('v2beta1')},application/json`);
      assert.deepEqual(api.seen.map(({ target }) => target).toSorted(), ['/api', '/apis']);
    });
  }

  it('unchanged discovery is neither transferred nor read again', async () => {
    const statuses: number[] = [];
    await using api = await served((request) => {
      const answer = aggregated(request);
      statuses.push(answer.status ?? 200);
      return answer;
    });
    const first = await api.client.discovery.read();
    assert.equal(await api.client.discovery.read(), first);
    assert.deepEqual(statuses, [200, 200, 304, 304]);
  });

  it('discovery works without the core group, and without all others', async () => {
    await using api = await served((request) =>
      request.target === '/api' ? { status: 404 } : aggregated(request),
    );
    assert.deepEqual((await api.client.discovery.read()).all.length, 3);
  });

  it('discovery rejects when its first documents cannot be read', async () => {
    await using api = await served(({ target }) => (target === '/apis' ? { status: 500 } : { body: '[]' }));
    await assert.rejects(api.client.discovery.read());
  });

  it('discovery tolerates missing and invalid fields', async () => {
    const odd = [
      null,
      7,
      { metadata: 5, versions: 'x' },
      { metadata: { name: 'g' }, versions: [{ version: 'v1', resources: [null, {}, { resource: 'a' }] }] },
    ];
    await using api = await served(() => ({ body: { kind: 'APIGroupDiscoveryList', items: odd } }));
    assert.deepEqual((await api.client.discovery.read()).all, []);
  });

  it('discovery requests at most eight versions concurrently', async () => {
    let now = 0;
    let most = 0;
    await using api = await served(({ target }, response) => {
      const versions = Array.from({ length: 40 }, (_, i) => ({ version: `v${i + 1}` }));
      if (target === '/apis') return { body: { kind: 'APIGroupList', groups: [{ name: 'many', versions }] } };
      if (target === '/api') return { status: 404 };
      most = Math.max(most, ++now);
      setImmediate(() => {
        now--;
        response.end('{"resources":[]}');
      });
      return undefined;
    });
    await api.client.discovery.read();
    assert.equal(api.seen.length, 42);
    assert.ok(most <= 8, `${most} at once`);
  });
});

describe('resources of kinds', () => {
  const requests = (api: Served): number => api.seen.length / 2;

  it('the resource of a kind is found in the last discovery', async () => {
    await using api = await served(aggregated);
    assert.deepEqual(await api.client.discovery.forKind('v1', 'Pod'), pods);
    assert.deepEqual(await api.client.discovery.forKind('v1', 'Node'), nodes);
    assert.equal((await api.client.discovery.forKind('apps/v1beta1', 'Oldie'))?.resource, 'oldies');
    assert.equal(requests(api), 1);
  });

  it('an unknown kind causes a discovery, at most once per second, shared by concurrent callers', async () => {
    let items = groups;
    await using api = await served((request) =>
      request.target === '/api' ? aggregated(request) : { body: { kind: 'APIGroupDiscoveryList', items } },
    );
    const findThing = () => api.client.discovery.forKind('new/v1', 'Thing');
    assert.deepEqual(await Promise.all([findThing(), findThing(), findThing()]), [
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(requests(api), 1);
    items = [
      ...groups,
      { metadata: { name: 'new' }, versions: [{ version: 'v1', resources: [resource('things', 'Thing')] }] },
    ];
    api.env.clock.advance(999);
    assert.equal(await findThing(), undefined);
    assert.equal(requests(api), 1);
    api.env.clock.advance(1);
    assert.equal((await findThing())?.resource, 'things');
    assert.equal(requests(api), 2);
  });

  it('a failed discovery is not the absence of a kind', async () => {
    let works = false;
    await using api = await served((request) => (works ? aggregated(request) : { status: 500 }));
    await assert.rejects(api.client.discovery.forKind('v1', 'Pod'), { name: 'ApiError' });
    await assert.rejects(api.client.discovery.forKind('v1', 'Pod'), { name: 'ApiError' });
    assert.equal(requests(api), 1);
    works = true;
    api.env.clock.advance(1000);
    assert.deepEqual(await api.client.discovery.forKind('v1', 'Pod'), pods);
  });

  it('an aborted caller stops waiting for discovery, without effect on other callers', async () => {
    const open: (() => void)[] = [];
    await using api = await served((request, response) => {
      open.push(() => response.end(JSON.stringify(aggregated(request).body)));
      return undefined;
    });
    const stop = new AbortController();
    const left = assert.rejects(api.client.discovery.forKind('v1', 'Pod', stop.signal), /enough/);
    const stays = api.client.discovery.forKind('v1', 'Pod');
    stop.abort(new Error('enough'));
    await left;
    while (open.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of open) answer();
    assert.deepEqual(await stays, pods);
  });
});

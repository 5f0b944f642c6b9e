import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import {
  AggregationFixture,
  apiService,
  apiServices,
  availabilityOf,
  GROUP,
  podAddress,
} from '../testing/aggregation-fixture.ts';
import { ExtensionServer } from '../testing/extension-server.ts';

const path = `/apis/${GROUP}/v1`;
const list = (...resources: readonly object[]): object => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${GROUP}/v1`,
  resources,
});
const pods = {
  ...{ name: 'pods', singularName: 'pod', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
  ...{ shortNames: ['po'], categories: ['all'], group: 'other.example.com', version: 'v2', unknown: 1 },
};
const status = { name: 'pods/status', singularName: '', namespaced: true, kind: 'Status', verbs: ['get'] };
const orphan = { name: 'nodes/log', singularName: '', namespaced: false, kind: 'Log', verbs: ['get'] };

const discovered = [
  {
    resource: 'pods',
    responseKind: { group: 'other.example.com', version: 'v2', kind: 'PodMetrics' },
    scope: 'Namespaced',
    singularResource: 'pod',
    verbs: ['get', 'list'],
    shortNames: ['po'],
    categories: ['all'],
    subresources: [
      {
        subresource: 'status',
        responseKind: { group: GROUP, version: 'v1', kind: 'Status' },
        verbs: ['get'],
      },
    ],
  },
  {
    resource: 'nodes',
    responseKind: { group: '', version: '', kind: '' },
    scope: 'Cluster',
    singularResource: '',
    verbs: [],
    subresources: [
      { subresource: 'log', responseKind: { group: GROUP, version: 'v1', kind: 'Log' }, verbs: ['get'] },
    ],
  },
];

interface ListedGroup {
  readonly metadata: { readonly name: string };
  readonly versions: readonly {
    readonly version: string;
    readonly resources?: readonly { readonly resource: string }[];
    readonly freshness: string;
  }[];
}

const aggregated = (version: string): string =>
  `application/json;g=apidiscovery.orch.io;v=${version};as=APIGroupDiscoveryList`;

const groupsOf = async (f: AggregationFixture, version = 'v2'): Promise<readonly ListedGroup[]> =>
  (await f.api.get('/apis', { accept: aggregated(version) })).json.items;

const versionsOf = async (f: AggregationFixture, group = GROUP, version = 'v2') =>
  (await groupsOf(f, version)).find(({ metadata }) => metadata.name === group)?.versions;

const untilFreshness = (f: AggregationFixture, freshness: string): Promise<void> =>
  until(async () => (await versionsOf(f))?.[0]?.freshness === freshness, `the resources to be ${freshness}`);

async function served(...resources: readonly object[]): Promise<ExtensionServer> {
  const extension = await ExtensionServer.start();
  extension.documents.set(path, { body: list(...resources), etag: '"1"' });
  return extension;
}

describe('discovery of extension API servers', () => {
  it('the group, its version and its resources are in both forms of discovery', async () => {
    await using extension = await served(pods, orphan, status);
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    await untilFreshness(f, 'Current');
    for (const version of ['v2', 'v2beta1'])
      assert.deepEqual(await versionsOf(f, GROUP, version), [
        { version: 'v1', resources: discovered, freshness: 'Current' },
      ]);
    const expected = {
      name: GROUP,
      versions: [{ groupVersion: `${GROUP}/v1`, version: 'v1' }],
      preferredVersion: { groupVersion: `${GROUP}/v1`, version: 'v1' },
    };
    const { groups } = (await f.api.get('/apis')).json;
    assert.deepEqual(
      groups.find(({ name }: { name: string }) => name === GROUP),
      expected,
    );
    const { json } = await f.api.get(`/apis/${GROUP}`);
    assert.deepEqual(json, { kind: 'APIGroup', apiVersion: 'v1', ...expected });
  });

  it('a deleted API service is in discovery no more', async () => {
    await using extension = await served(pods);
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    await untilFreshness(f, 'Current');
    await f.api.delete(`${apiServices}/v1.${GROUP}`);
    await f.api.settled();
    assert.equal(await versionsOf(f), undefined);
    assert.equal((await f.api.get(`/apis/${GROUP}`)).status, 404);
  });

  it('resources are read again after each check, and only when they have changed', async () => {
    await using extension = await served(pods);
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    await untilFreshness(f, 'Current');
    const { checks } = extension;
    await f.api.env.clock.advanceAsync(30_000);
    await until(() => extension.checks > checks + 1, 'a further check and a further read');
    // The checks send no ETag, the reads send one.
    assert.equal((await versionsOf(f))?.[0]?.resources?.length, 1);
    extension.documents.set(path, { body: list(pods, { ...pods, name: 'nodes' }), etag: '"2"' });
    await f.api.env.clock.advanceAsync(30_000);
    await until(async () => (await versionsOf(f))?.[0]?.resources?.length === 2, 'the new resource');
  });

  it('resources of a server that fails are marked as stale until it answers again', async () => {
    await using extension = await served(pods);
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    await untilFreshness(f, 'Current');
    extension.checkStatus = 503;
    await f.api.env.clock.advanceAsync(30_000);
    await untilFreshness(f, 'Stale');
    assert.deepEqual((await versionsOf(f))?.[0]?.resources?.length, 1);
    extension.checkStatus = 200;
    await f.api.env.clock.advanceAsync(30_000);
    await untilFreshness(f, 'Current');
  });

  it('a server that never answered is listed without resources, and removes no other from discovery', async () => {
    await using extension = await ExtensionServer.start();
    const refused = new Set([podAddress()]);
    await using f = await AggregationFixture.open({ refused });
    const before = await groupsOf(f);
    await f.service({ port: extension.port });
    await f.register(extension);
    await until(
      async () => ((await availabilityOf(f.api)) as { reason?: string }).reason === 'FailedDiscoveryCheck',
    );
    const all = await groupsOf(f);
    assert.deepEqual(
      all.filter(({ metadata }) => metadata.name !== GROUP),
      before,
    );
    assert.deepEqual(await versionsOf(f), [{ version: 'v1', freshness: 'Stale' }]);
  });

  for (const [title, body] of [
    ['is not JSON', Buffer.from('{"kind":')],
    ['is another kind', { kind: 'PodList' }],
    ['has too many resources', list(...Array.from({ length: 2001 }, () => pods))],
    ['is larger than 1 MB', Buffer.alloc(1024 * 1024 + 1, ' ')],
    ['is nested 20,000 levels deep', Buffer.from(`${'{"resources":['.repeat(20_000)}`)],
  ] as const) {
    it(`a discovery document that ${title} is not used`, async () => {
      await using extension = await served(pods);
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      await untilFreshness(f, 'Current');
      extension.documents.set(path, { body });
      await f.api.env.clock.advanceAsync(30_000);
      await untilFreshness(f, 'Stale');
      assert.deepEqual((await versionsOf(f))?.[0]?.resources?.length, 1);
      assert.deepEqual(((await availabilityOf(f.api)) as { status?: string }).status, 'True');
    });
  }

  it('malformed resources are left out', async () => {
    const names = ['', 7, '/x', '__proto__', 'pods/', 'pods/../x', 'a b', 'a\nb', 'a'.repeat(254)];
    await using extension = await served(pods, ...names.map((name) => ({ ...pods, name })));
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    await untilFreshness(f, 'Current');
    assert.deepEqual(
      (await versionsOf(f))?.[0]?.resources?.map(({ resource }) => resource),
      ['pods'],
    );
  });

  it('a document that names other groups adds nothing to them', async () => {
    await using extension = await ExtensionServer.start();
    const body = { ...list(pods), groupVersion: 'apps/v1', groups: [{ name: 'apps' }] };
    extension.documents.set(path, { body });
    await using f = await AggregationFixture.open();
    const before = await groupsOf(f);
    await f.extend(extension);
    await untilFreshness(f, 'Current');
    const others = (await groupsOf(f)).filter(({ metadata }) => metadata.name !== GROUP);
    assert.deepEqual(others, before);
    assert.deepEqual(
      (await versionsOf(f))?.[0]?.resources?.map(({ resource }) => resource),
      ['pods'],
    );
  });

  it('no document of discovery waits for a server that accepts connections and never answers', async () => {
    await using extension = await served(pods);
    await using f = await AggregationFixture.open();
    let held = 0;
    extension.stream = () => ++held > 0;
    await f.service({ port: extension.port });
    await f.register(extension);
    await until(() => held > 0, 'the check that is not answered');
    // The clock stands still and the server does not answer, so that answers can wait for neither.
    for (const accept of ['v2', 'v2beta1'].map((version) => `${aggregated(version)},application/json`))
      for (const target of ['/api', '/apis', `/apis/${GROUP}`, '/openapi/v2', '/openapi/v3'])
        assert.equal((await f.api.get(target, { accept })).status, 200, target);
    assert.deepEqual(await versionsOf(f), [{ version: 'v1', freshness: 'Stale' }]);
    // After the time limit of the check its own document is refused at once too.
    await f.api.env.clock.advanceAsync(5_000);
    await until(
      async () => ((await availabilityOf(f.api)) as { reason?: string }).reason === 'FailedDiscoveryCheck',
    );
    const { requests } = extension;
    const { status, headers } = await f.api.get(path);
    assert.deepEqual([status, headers['Retry-After'], requests.length], [503, undefined, 0]);
  });

  it('groups and versions are in the order of the priorities, and built-in versions first in their group', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    const add = async (version: string, group: string, [minimum, priority]: readonly [number, number]) => {
      const spec = { version, groupPriorityMinimum: minimum, versionPriority: priority };
      const object = apiService(group, extension.caBundle, spec);
      const { status, text } = await f.api.post(apiServices, {
        ...object,
        metadata: { name: `${version}.${group}` },
      });
      assert.equal(status, 201, text);
    };
    await add('v1', 'a.example.com', [100, 1]);
    await add('v1', 'b.example.com', [200, 10]);
    await add('v2', 'b.example.com', [50, 10]);
    await add('v1beta1', 'b.example.com', [50, 20]);
    await add('v1', 'c.example.com', [17_850, 1]);
    await add('v9', 'apps', [20_000, 1000]);
    await f.api.settled();
    const all = (await groupsOf(f)).map(
      ({ metadata, versions }) => `${metadata.name} ${versions.map(({ version }) => version).join(' ')}`,
    );
    assert.deepEqual(all.slice(0, 3), ['apiregistration.orch.io v1', 'c.example.com v1', 'apps v1 v9']);
    assert.deepEqual(all.slice(-2), ['b.example.com v1beta1 v2 v1', 'a.example.com v1']);
  });

  it('requests for resources that the server has named have a label in metrics, others have none', async () => {
    await using extension = await served(pods, status);
    await using f = await AggregationFixture.open();
    await f.extend(extension);
    await untilFreshness(f, 'Current');
    for (const target of ['pods', 'pods/a/status', 'pods/a/random', 'random'])
      await f.api.get(`${path}/namespaces/default/${target}`);
    const text = f.api.env.metrics.text();
    const lines = text.split('\n').filter((line) => line.startsWith('apiserver_request_total{'));
    const labelled = lines.filter((line) => line.includes(`group="${GROUP}"`));
    const labelOf = (line: string, label: string) => new RegExp(`${label}="([^"]*)"`).exec(line)?.[1];
    assert.deepEqual(
      labelled.map((line) => [labelOf(line, 'resource'), labelOf(line, 'subresource')]).sort(),
      [
        ['pods', ''],
        ['pods', 'status'],
      ],
    );
    assert.doesNotMatch(text, /random/);
  });

  it('reads of documents and the making of aggregated documents are counted in metrics', async () => {
    await using extension = await served(pods);
    await using f = await AggregationFixture.open();
    const made = async (): Promise<number> => {
      await groupsOf(f);
      const line = /^aggregator_discovery_aggregation_count_total (\d+)$/m.exec(f.api.env.metrics.text());
      return Number(line?.[1]);
    };
    const before = await made();
    assert.equal(await made(), before);
    await f.extend(extension);
    await untilFreshness(f, 'Current');
    assert.ok((await made()) > before);
    extension.documents.set(path, { body: Buffer.from('{') });
    await f.api.env.clock.advanceAsync(30_000);
    await untilFreshness(f, 'Stale');
    const text = f.api.env.metrics.text();
    for (const result of ['success', 'error'])
      assert.match(
        text,
        new RegExp(
          `aggregator_document_read_duration_seconds_count\\{document="discovery",result="${result}"\\} [1-9]`,
        ),
      );
  });
});

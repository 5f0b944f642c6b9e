import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDiscovery } from '../testing/index.ts';

const aggregated = (version: string, group = 'apidiscovery.orch.io') => ({
  accept: `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`,
});

interface PlainResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}
interface AggregatedResource {
  readonly resource: string;
  readonly scope: string;
  readonly responseKind: { readonly kind: string };
  readonly verbs: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind: { readonly kind: string };
    readonly verbs: readonly string[];
  }[];
}

describe('discovery of groups and resources', () => {
  it('the versions of the core group and of other groups are listed', async () => {
    await using api = await openDiscovery();
    const core = await api.get('/api');
    assert.deepEqual([core.json.kind, core.json.versions], ['APIVersions', ['v1']]);
    const { json } = await api.get('/apis');
    assert.equal(json.kind, 'APIGroupList');
    const coordination = {
      name: 'coordination.orch.io',
      versions: [{ groupVersion: 'coordination.orch.io/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'coordination.orch.io/v1', version: 'v1' },
    };
    assert.deepEqual(
      json.groups.find((group: { name: string }) => group.name === coordination.name),
      coordination,
    );
    const group = await api.get('/apis/coordination.orch.io');
    assert.deepEqual(group.json, { kind: 'APIGroup', apiVersion: 'v1', ...coordination });
    assert.deepEqual((await api.get('/apis/')).json, json);
    assert.equal((await api.get('/apis/none.orch.io')).text, '404 page not found\n');
    assert.equal((await api.send('POST', '/apis')).status, 405);
  });

  it('replication controllers in extensions have their scale only', async () => {
    await using api = await openDiscovery({ release: '1.15' });
    const { resources } = (await api.get('/apis/extensions/v1beta1')).json;
    const found = resources.filter(({ name }: { name: string }) => name.startsWith('replicationcontrollers'));
    assert.deepEqual(
      found.map(({ name, kind, verbs }: { name: string; kind: string; verbs: string[] }) => [
        name,
        kind,
        verbs,
      ]),
      [
        ['replicationcontrollers', 'ReplicationControllerDummy', []],
        ['replicationcontrollers/scale', 'Scale', ['get', 'patch', 'update']],
      ],
    );
  });

  it('resources are listed by name, subresources behind their parent', async () => {
    await using api = await openDiscovery();
    const { json } = await api.get('/api/v1');
    assert.deepEqual([json.kind, json.groupVersion], ['APIResourceList', 'v1']);
    const names: string[] = json.resources.map((resource: { name: string }) => resource.name);
    assert.deepEqual(names, [
      'bindings',
      'componentstatuses',
      'configmaps',
      'endpoints',
      'events',
      'limitranges',
      'namespaces',
      'namespaces/finalize',
      'namespaces/status',
      'nodes',
      'nodes/proxy',
      'nodes/status',
      'persistentvolumeclaims',
      'persistentvolumeclaims/status',
      'persistentvolumes',
      'persistentvolumes/status',
      'pods',
      'pods/attach',
      'pods/binding',
      'pods/ephemeralcontainers',
      'pods/eviction',
      'pods/exec',
      'pods/log',
      'pods/portforward',
      'pods/proxy',
      'pods/status',
      'podtemplates',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'replicationcontrollers/status',
      'resourcequotas',
      'resourcequotas/status',
      'secrets',
      'serviceaccounts',
      'services',
      'services/proxy',
      'services/status',
    ]);
    const of = (name: string) => json.resources.find((resource: { name: string }) => resource.name === name);
    assert.deepEqual(of('pods'), {
      name: 'pods',
      singularName: '',
      namespaced: true,
      kind: 'Pod',
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shortNames: ['po'],
      categories: ['all'],
      storageVersionHash: 'xPOwRZ+Yhw8=',
    });
    assert.deepEqual(of('replicationcontrollers/scale'), {
      name: 'replicationcontrollers/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
    assert.equal(of('bindings').storageVersionHash, undefined);
    assert.deepEqual(of('namespaces').namespaced, false);
    const leases = await api.get('/apis/coordination.orch.io/v1');
    assert.deepEqual(
      leases.json.resources.map((resource: { kind: string }) => resource.kind),
      ['Lease'],
    );
  });

  it('discovery follows the emulated release', async () => {
    await using old = await openDiscovery({ release: '1.22' });
    const names: string[] = (await old.get('/api/v1')).json.resources.map((r: { name: string }) => r.name);
    assert.equal(names.includes('pods/ephemeralcontainers'), false);
    assert.equal((await old.get('/openapi/v3')).status, 404);
    await using later = await openDiscovery({ release: '1.27' });
    const pods = (await later.get('/api/v1')).json.resources.find((r: { name: string }) => r.name === 'pods');
    assert.equal(pods.singularName, 'pod');
  });

  for (const release of ['1.15', '1.24', '1.27'] as const) {
    it(`aggregated discovery in release ${release} equals the plain documents`, async () => {
      await using api = await openDiscovery({ release });
      const { items } = (await api.get('/apis', aggregated('v2'))).json;
      const { groups } = (await api.get('/apis')).json;
      assert.deepEqual(
        items.map((item: { metadata: { name: string } }) => item.metadata.name),
        groups.map((group: { name: string }) => group.name),
      );
      for (const { metadata, versions } of items) {
        for (const { version, resources } of versions) {
          const plain = (await api.get(`/apis/${metadata.name}/${version}`)).json.resources;
          const listed = resources.flatMap((one: AggregatedResource) => [
            [one.resource, one.responseKind.kind, one.verbs, one.scope === 'Namespaced'],
            ...(one.subresources ?? []).map(({ subresource, responseKind, verbs }) => [
              `${one.resource}/${subresource}`,
              responseKind.kind,
              verbs,
              one.scope === 'Namespaced',
            ]),
          ]);
          assert.deepEqual(
            listed,
            plain.map((one: PlainResource) => [one.name, one.kind, one.verbs, one.namespaced]),
          );
        }
      }
    });
  }

  describe('negotiation of aggregated discovery', () => {
    const [v2, v2beta1] = ['v2', 'v2beta1'].map((version) => aggregated(version).accept);
    for (const [title, accept, kind] of [
      ['none', undefined, 'plain'],
      ['anything', '*/*', 'plain'],
      ['client-go of a new release', `${v2},${v2beta1},application/json`, 'v2'],
      ['client-go of 1.26', `${v2beta1},application/json`, 'v2beta1'],
      ['client-go with a profile', `${v2};profile=nopeer,${v2},application/json`, 'v2'],
      [
        'parameters in another order',
        `application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.orch.io`,
        'v2',
      ],
      ['a better quality of the older version', `${v2};q=0.5,${v2beta1};q=0.9`, 'v2beta1'],
      ['a better quality of the plain form', `${v2};q=0.8,application/json;q=0.9`, 'plain'],
      ['a quality of zero', `${v2};q=0,application/json`, 'plain'],
      ['an unknown version first', `${v2?.replace('=v2', '=v3')},${v2beta1},application/json`, 'v2beta1'],
      ['an unknown version alone', `${v2?.replace('=v2', '=v3')},application/json`, 'plain'],
      ['the group of the other naming', `${v2?.replace('orch.io', 'k8s.io')},application/json`, 'plain'],
      ['another kind', `${v2?.replace('APIGroupDiscoveryList', 'Table')},application/json`, 'plain'],
      ['an aggregated form that is not served', v2?.replace('=v2', '=v3'), '406'],
    ] as const) {
      it(`an Accept header with ${title} selects ${kind}`, async () => {
        await using api = await openDiscovery();
        for (const [path, plain] of [
          ['/api', 'APIVersions'],
          ['/apis', 'APIGroupList'],
          ['/apis/', 'APIGroupList'],
        ]) {
          const { status, json, headers } = await api.get(
            String(path),
            accept === undefined ? {} : { accept },
          );
          if (kind === '406') {
            assert.deepEqual([status, json.reason], [406, 'NotAcceptable']);
            continue;
          }
          assert.equal(headers['Vary'], 'Accept');
          if (kind === 'plain') assert.equal(json.kind, plain);
          else assert.equal(json.apiVersion, `apidiscovery.orch.io/${kind}`);
        }
      });
    }
  });

  it('aggregated discovery is one document, with an ETag for 304 replies', async () => {
    await using api = await openDiscovery();
    for (const version of ['v2beta1', 'v2']) {
      const core = await api.get('/api', aggregated(version));
      assert.equal(core.status, 200);
      assert.equal(
        core.headers['Content-Type'],
        `application/json;g=apidiscovery.orch.io;v=${version};as=APIGroupDiscoveryList`,
      );
      assert.deepEqual(
        [core.json.kind, core.json.apiVersion],
        ['APIGroupDiscoveryList', `apidiscovery.orch.io/${version}`],
      );
      assert.equal(core.json.items.length, 1);
      const [v1] = core.json.items[0].versions;
      assert.deepEqual([v1.version, v1.freshness], ['v1', 'Current']);
      const rc = v1.resources.find((r: { resource: string }) => r.resource === 'replicationcontrollers');
      assert.deepEqual(rc.responseKind, { group: '', version: '', kind: 'ReplicationController' });
      assert.deepEqual(
        [rc.scope, rc.singularResource, rc.shortNames, rc.categories],
        ['Namespaced', 'replicationcontroller', ['rc'], ['all']],
      );
      assert.deepEqual(rc.subresources[0], {
        subresource: 'scale',
        responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
        verbs: ['get', 'patch', 'update'],
      });
      const etag = String(core.headers['ETag']);
      const again = await api.get('/api', { ...aggregated(version), headers: { 'if-none-match': etag } });
      assert.deepEqual([again.status, again.text], [304, '']);
      const other = await api.get('/api', {
        ...aggregated(version),
        headers: { 'if-none-match': '"other"' },
      });
      assert.equal(other.status, 200);
    }
    const groups = await api.get('/apis', {
      accept: `${aggregated('v2').accept},${aggregated('v2beta1').accept},application/json`,
    });
    assert.equal(groups.json.apiVersion, 'apidiscovery.orch.io/v2');
    assert.ok(groups.json.items.every((item: { metadata: { name?: string } }) => item.metadata.name));
    const plain = await api.get('/apis', { accept: `application/json,${aggregated('v2').accept}` });
    assert.equal(plain.json.kind, 'APIGroupList');
  });

  it('the kinds of aggregated discovery have the group and version that the plain documents have', async () => {
    await using api = await openDiscovery();
    const responseKinds = new Map<string, unknown>();
    for (const path of ['/api', '/apis']) {
      const { items } = (await api.get(path, aggregated('v2'))).json;
      for (const { version, resources } of items.flatMap(({ versions }: { versions: object[] }) => versions))
        for (const { resource, responseKind, subresources = [] } of resources) {
          responseKinds.set(`${version} ${resource}`, responseKind);
          for (const one of subresources)
            responseKinds.set(`${version} ${resource}/${one.subresource}`, one.responseKind);
        }
    }
    for (const [resource, responseKind] of [
      ['v1 pods', { group: '', version: '', kind: 'Pod' }],
      ['v1 pods/status', { group: '', version: '', kind: 'Pod' }],
      ['v1 pods/eviction', { group: 'policy', version: 'v1', kind: 'Eviction' }],
      ['v1 deployments', { group: '', version: '', kind: 'Deployment' }],
      ['v1 deployments/scale', { group: 'autoscaling', version: 'v1', kind: 'Scale' }],
    ] as const)
      assert.deepEqual(responseKinds.get(resource), responseKind);
  });

  for (const { release, apiVersion, core } of [
    { release: '1.32', apiVersion: 'v2beta1', core: { creationTimestamp: null } },
    { release: '1.33', apiVersion: undefined, core: { creationTimestamp: null } },
    { release: '1.34', apiVersion: undefined, core: {} },
  ] as const) {
    const title = apiVersion === undefined ? 'without' : 'with';
    it(`release ${release} serves aggregated discovery ${title} its beta version`, async () => {
      await using api = await openDiscovery({ release });
      const [beta, v2] = ['v2beta1', 'v2'].map((version) => aggregated(version).accept);
      const { json } = await api.get('/api', { accept: `${beta},application/json` });
      const expected =
        apiVersion === undefined
          ? ['APIVersions', undefined]
          : ['APIGroupDiscoveryList', `apidiscovery.orch.io/${apiVersion}`];
      assert.deepEqual([json.kind, json.apiVersion], expected);
      const { items } = (await api.get('/api', { accept: `${beta},${v2},application/json` })).json;
      assert.deepEqual(items[0].metadata, core);
    });
  }

  it('discovery follows the kubernetes naming', async () => {
    await using api = await openDiscovery({ naming: 'kubernetes', release: '1.27' });
    assert.ok((await api.get('/apis/coordination.k8s.io/v1')).json.resources.length > 0);
    const { json } = await api.get('/apis', aggregated('v2beta1', 'apidiscovery.k8s.io'));
    assert.equal(json.apiVersion, 'apidiscovery.k8s.io/v2beta1');
    const namespaces = (await api.get('/api/v1/namespaces')).json.items;
    assert.deepEqual(
      namespaces.map((item: { metadata: { name: string } }) => item.metadata.name),
      ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
    );
  });
});

describe('OpenAPI in discovery of the server', () => {
  it('version 2 is one document, in JSON or in Protobuf', async () => {
    await using api = await openDiscovery();
    const json = await api.get('/openapi/v2');
    assert.deepEqual([json.status, json.json.swagger], [200, '2.0']);
    assert.ok(json.json.paths['/api/v1/namespaces/{namespace}/pods/{name}']);
    const protobuf = await api.get('/openapi/v2', {
      accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf, */*',
    });
    assert.equal(
      protobuf.headers['Content-Type'],
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    );
    assert.notEqual(protobuf.headers['ETag'], json.headers['ETag']);
    const again = await api.get('/openapi/v2', {
      headers: { 'if-none-match': String(json.headers['ETag']) },
    });
    assert.equal(again.status, 304);
    assert.equal((await api.get('/openapi/v2', { accept: 'text/html' })).status, 406);
  });

  it('version 3 has one document per group version', async () => {
    await using api = await openDiscovery();
    const { json } = await api.get('/openapi/v3');
    const url: string = json.paths['apis/coordination.orch.io/v1'].serverRelativeURL;
    const document = await api.get(url);
    assert.deepEqual([document.status, document.json.openapi.slice(0, 2)], [200, '3.']);
    assert.match(String(document.headers['Cache-Control']), /immutable/);
    assert.equal((await api.get(url.replace(/hash=.*/, 'hash=old'))).headers['Cache-Control'], undefined);
    assert.equal((await api.get('/openapi/v3/apis/none/v1')).status, 404);
  });
});

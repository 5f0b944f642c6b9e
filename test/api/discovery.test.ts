import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Naming } from '@orch/machinery';
import { type ApiClient, type LaunchedServer, launchServer } from '@orch/testkit';
import { create, expectCode, names, podObject, words } from './fixture.ts';

interface Resource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}
interface ResourceList {
  readonly kind: string;
  readonly groupVersion: string;
  readonly resources: readonly Resource[];
}

const all = 'create delete deletecollection get list patch update watch';
const noCollection = 'create delete get list patch update watch';
const state = 'get patch update';

/** Every resource of core v1 of release 1.24: namespaced, kind, verbs, short names. */
const core: readonly (readonly [string, boolean, string, string, string])[] = [
  ['bindings', true, 'Binding', 'create', ''],
  ['componentstatuses', false, 'ComponentStatus', 'get list', 'cs'],
  ['configmaps', true, 'ConfigMap', all, 'cm'],
  ['endpoints', true, 'Endpoints', all, 'ep'],
  ['events', true, 'Event', all, 'ev'],
  ['limitranges', true, 'LimitRange', all, 'limits'],
  ['namespaces', false, 'Namespace', noCollection, 'ns'],
  ['namespaces/finalize', false, 'Namespace', 'update', ''],
  ['namespaces/status', false, 'Namespace', state, ''],
  ['nodes', false, 'Node', all, 'no'],
  ['nodes/status', false, 'Node', state, ''],
  ['persistentvolumeclaims', true, 'PersistentVolumeClaim', all, 'pvc'],
  ['persistentvolumeclaims/status', true, 'PersistentVolumeClaim', state, ''],
  ['persistentvolumes', false, 'PersistentVolume', all, 'pv'],
  ['persistentvolumes/status', false, 'PersistentVolume', state, ''],
  ['pods', true, 'Pod', all, 'po'],
  ['pods/binding', true, 'Binding', 'create', ''],
  ['pods/eviction', true, 'Eviction', 'create', ''],
  ['pods/status', true, 'Pod', state, ''],
  ['podtemplates', true, 'PodTemplate', all, ''],
  ['replicationcontrollers', true, 'ReplicationController', all, 'rc'],
  ['replicationcontrollers/scale', true, 'Scale', state, ''],
  ['replicationcontrollers/status', true, 'ReplicationController', state, ''],
  ['resourcequotas', true, 'ResourceQuota', all, 'quota'],
  ['resourcequotas/status', true, 'ResourceQuota', state, ''],
  ['secrets', true, 'Secret', all, ''],
  ['serviceaccounts', true, 'ServiceAccount', all, 'sa'],
  ['services', true, 'Service', all, 'svc'],
  ['services/status', true, 'Service', state, ''],
];

/** The groups of release 1.24 in the order of their priority: first label of the name, versions, the preferred one. */
const groupsOf124: readonly string[] = [
  'apiregistration v1, v1',
  'apps v1, v1',
  'events v1 v1beta1, v1',
  'authentication v1, v1',
  'authorization v1, v1',
  'autoscaling v2 v1 v2beta1 v2beta2, v2',
  'batch v1 v1beta1, v1',
  'certificates v1, v1',
  'networking v1, v1',
  'policy v1 v1beta1, v1',
  'rbac v1, v1',
  'storage v1 v1beta1, v1',
  'admissionregistration v1, v1',
  'apiextensions v1, v1',
  'scheduling v1, v1',
  'coordination v1, v1',
  'node v1 v1beta1, v1',
  'discovery v1 v1beta1, v1',
  'flowcontrol v1beta2 v1beta1, v1beta2',
];

/** Discovery for clients (spec 4.1; facts: resources), for both namings. */
for (const naming of ['orch', 'kubernetes'] satisfies Naming[]) {
  describe(`discovery, ${naming} naming`, { timeout: 180_000 }, () => {
    const { coordination, namespaces } = words[naming];
    let server: LaunchedServer;
    let api: ApiClient;
    const json = async <T>(path: string): Promise<T> => expectCode(200, await api.get(path)).json as T;
    before(async () => {
      server = await launchServer({ naming });
      api = server.client;
    });
    after(() => server[Symbol.asyncDispose]());

    it('discovery lists the core versions and the groups', async () => {
      const core = await json<{ kind: string; versions: string[]; serverAddressByClientCIDRs: unknown[] }>(
        '/api',
      );
      assert.deepEqual([core.kind, core.versions], ['APIVersions', ['v1']]);
      assert.ok(Array.isArray(core.serverAddressByClientCIDRs));
      const version = { groupVersion: `${coordination}/v1`, version: 'v1' };
      const group = { name: coordination, versions: [version], preferredVersion: version };
      const { kind, apiVersion, groups } = await json<{
        kind: string;
        apiVersion: string;
        groups: { name: string; versions: { version: string }[]; preferredVersion: { version: string } }[];
      }>('/apis');
      assert.deepEqual([kind, apiVersion], ['APIGroupList', 'v1']);
      assert.deepEqual(
        groups.find(({ name }) => name === coordination),
        group,
      );
      assert.deepEqual(await json(`/apis/${coordination}`), { kind: 'APIGroup', apiVersion: 'v1', ...group });
      const spoken = ({ name, versions, preferredVersion }: (typeof groups)[number]): string =>
        `${name.split('.')[0]} ${versions.map(({ version }) => version).join(' ')}, ${preferredVersion.version}`;
      assert.deepEqual(groups.map(spoken), groupsOf124);
    });

    it('discovery lists every resource of core v1 with its verbs', async () => {
      const { kind, groupVersion, resources } = await json<ResourceList>('/api/v1');
      assert.deepEqual([kind, groupVersion], ['APIResourceList', 'v1']);
      const served = new Map(resources.map((resource) => [resource.name, resource]));
      for (const [name, namespaced, kindName, verbs, shortNames] of core) {
        const found = served.get(name);
        assert.ok(found, name);
        assert.deepEqual(
          [found.namespaced, found.kind, found.verbs.join(' '), (found.shortNames ?? []).join(' ')],
          [namespaced, kindName, verbs, shortNames],
          name,
        );
        assert.equal(found.singularName, '', name);
        if (verbs.includes('list') && name !== 'componentstatuses')
          assert.match(found.storageVersionHash ?? '', /^[A-Za-z0-9+/]{11}=$/, name);
      }
      const scale = served.get('replicationcontrollers/scale');
      assert.deepEqual([scale?.group, scale?.version], ['autoscaling', 'v1']);
      assert.deepEqual(
        resources.filter(({ categories }) => categories?.includes('all')).map(({ name }) => name),
        ['pods', 'replicationcontrollers', 'services'],
      );
      assert.deepEqual(
        resources.map(({ name }) => name),
        resources.map(({ name }) => name).toSorted(),
        'in the order of names',
      );
    });

    it('every resource with the verb list in discovery can be listed and has the advertised kind', async () => {
      for (const groupVersion of ['/api/v1', `/apis/${coordination}/v1`]) {
        const { resources } = await json<ResourceList>(groupVersion);
        for (const { name, kind } of resources.filter(({ verbs }) => verbs.includes('list'))) {
          const list = await json<{ kind: string; items: unknown[]; metadata: { resourceVersion?: string } }>(
            `${groupVersion}/${name}`,
          );
          assert.equal(list.kind, `${kind}List`);
          assert.ok(Array.isArray(list.items));
        }
      }
    });

    it('/version names the emulated release', async () => {
      const version = await json<Record<string, string>>('/version');
      assert.deepEqual([version['major'], version['minor']], ['1', '24']);
      assert.match(version['gitVersion'] ?? '', /^v1\.24\.\d+/);
      for (const field of ['gitCommit', 'gitTreeState', 'buildDate', 'goVersion', 'compiler', 'platform'])
        assert.equal(typeof version[field], 'string', field);
    });

    it('the root lists only paths that exist', async () => {
      const { paths } = await json<{ paths: string[] }>('/');
      const readsNow = (path: string): string => {
        if (path === '/empty-resources') return `${path}?namespace=default`;
        return path.startsWith('/debug/profile/') ? `${path}?seconds=1` : path;
      };
      for (const path of paths) {
        const { status, text } = await api.get(readsNow(path));
        // Explanations need to know of what.
        if (path.startsWith('/why/') && status === 400)
          assert.match(text, /parameter|must|required|needs/, path);
        else assert.equal(status, 200, path);
      }
      const unknown = await api.get('/nowhere');
      assert.equal(unknown.status, 404);
      assert.deepEqual((unknown.json as { paths: string[] }).paths, paths);
    });

    it('discovery lists no unserved groups, versions and resources', async () => {
      for (const path of [
        '/apis/nothing.example',
        '/apis/apps/v1beta1',
        '/api/v2',
        `/apis/${coordination}/v9`,
      ]) {
        const answer = await api.get(path);
        assert.deepEqual([answer.status, answer.text], [404, '404 page not found\n'], path);
      }
      const other = words[naming === 'orch' ? 'kubernetes' : 'orch'];
      assert.equal((await api.get(`/apis/${other.coordination}`)).status, 404, 'not in the other naming');
    });

    it('OpenAPI v2 and v3 contain the schema of every kind', async () => {
      const v2 = await json<{ swagger: string; definitions: Record<string, Record<string, unknown>> }>(
        '/openapi/v2',
      );
      assert.equal(v2.swagger, '2.0');
      const extension = naming === 'orch' ? 'x-orch-group-version-kind' : 'x-kubernetes-group-version-kind';
      const kinds = Object.values(v2.definitions).flatMap(
        (definition) => (definition[extension] ?? []) as { kind: string }[],
      );
      for (const kind of ['Pod', 'ConfigMap', 'Lease', 'Namespace', 'Service', 'DeleteOptions'])
        assert.ok(
          kinds.some((gvk) => gvk.kind === kind),
          kind,
        );
      const index = await json<{ paths: Record<string, { serverRelativeURL: string }> }>('/openapi/v3');
      for (const [path, { serverRelativeURL }] of Object.entries(index.paths)) {
        const document = await json<{ openapi: string }>(serverRelativeURL);
        assert.match(document.openapi, /^3\.0/, path);
      }
      const { etag } = (await api.get('/openapi/v2')).headers;
      assert.equal(
        (await api.get('/openapi/v2', { headers: { 'if-none-match': String(etag) } })).status,
        304,
      );
      const proto = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
      assert.equal((await api.get('/openapi/v2', { headers: { accept: proto } })).status, 200);
    });

    it('identifiers in objects follow the naming of the server', async () => {
      assert.deepEqual(
        names(await api.get('/api/v1/namespaces')).filter((name) => namespaces.includes(name as never)),
        [...namespaces],
      );
      const pod = await create(api, '/api/v1/namespaces/default/pods', podObject('named'));
      const foreign = naming === 'orch' ? /k8s\.io|kubernetes|kube-/ : /orch\.io|orch-/;
      assert.doesNotMatch(JSON.stringify(pod), foreign);
      const documents = await Promise.all(
        ['/', '/api', '/apis', '/api/v1', '/openapi/v2', '/api/v1/namespaces', '/api/v1/nodes'].map((path) =>
          api.get(path),
        ),
      );
      for (const { text } of documents) assert.doesNotMatch(text, foreign);
    });
  });
}

describe('aggregated discovery', { timeout: 180_000 }, () => {
  it('aggregated discovery is one document in every emulated release, with an ETag for conditional requests', async () => {
    await using server = await launchServer({ naming: 'kubernetes' });
    const api = server.client;
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
    const { groups: listed } = (await api.get('/apis')).json as { groups: { name: string }[] };
    for (const [path, groups] of [
      ['/api', ['']],
      ['/apis', listed.map(({ name }) => name)],
    ] as const) {
      const answer = expectCode(
        200,
        await api.get(path, { headers: { accept: `${accept},application/json` } }),
      );
      const document = answer.json as {
        kind: string;
        items: { metadata: { name?: string }; versions: { version: string; resources: unknown[] }[] }[];
      };
      assert.equal(document.kind, 'APIGroupDiscoveryList');
      assert.deepEqual(
        document.items.map(({ metadata }) => metadata.name ?? ''),
        groups,
      );
      assert.ok((document.items[0]?.versions[0]?.resources.length ?? 0) > 0);
      const etag = String(answer.headers['etag']);
      assert.match(etag, /^"[0-9A-F]+"$/i);
      const again = await api.get(path, { headers: { accept, 'if-none-match': etag } });
      assert.deepEqual([again.status, again.text], [304, '']);
      const other = await api.get(path, { headers: { accept, 'if-none-match': '"0"' } });
      assert.equal(other.status, 200);
    }
  });

  it('aggregated discovery is returned only to clients that request it', async () => {
    await using server = await launchServer();
    for (const accept of ['application/json', '*/*']) {
      const answer = await server.client.get('/apis', { headers: { accept } });
      assert.equal((answer.json as { kind: string }).kind, 'APIGroupList');
    }
  });
});

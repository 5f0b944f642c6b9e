import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import { type DefinitionBody, establish } from './widgets.ts';

const GROUP = 'docs.example.com';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEFINITION = `${DEFINITIONS}/books.${GROUP}`;

// biome-ignore lint/suspicious/noExplicitAny: documents whose fields the tests know.
type Json = any;

interface VersionParts {
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly properties?: object;
  readonly [field: string]: unknown;
}

const text = { type: 'string', description: 'A string.' };
const replicas = { type: 'integer' };

const versionOf = (name: string, { properties = { text }, ...rest }: VersionParts = {}): object => ({
  name,
  served: true,
  storage: false,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      description: 'What is read.',
      properties: { spec: { type: 'object', properties } },
    },
  },
  ...rest,
});

const definitionOf = (resource: string, group: string, versions: readonly object[]): DefinitionBody => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${resource}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: {
      plural: resource,
      singular: resource.slice(0, -1),
      kind: `${resource[0]?.toUpperCase()}${resource.slice(1, -1)}`,
      shortNames: [resource.slice(0, 2)],
      categories: ['all'],
    },
    versions,
  },
});

const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
};

const jsonOf = (answer: ApiResponse): Json => {
  assert.equal(answer.status, 200, answer.text.slice(0, 1000));
  return answer.json;
};

describe('documents about custom resources', { timeout: 60_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer({ naming: 'kubernetes', args: ['--emulated-version=1.27'] });
    const versions = [
      versionOf('v1', { storage: true, subresources, properties: { text, replicas } }),
      versionOf('v1beta1'),
    ];
    await establish(server.client, definitionOf('books', GROUP, versions));
    await establish(
      server.client,
      definitionOf('pages', 'other.example.com', [versionOf('v1', { storage: true })]),
    );
  });
  after(() => server[Symbol.asyncDispose]());

  const get = async (path: string, accept = 'application/json'): Promise<Json> =>
    jsonOf(await server.client.get(path, { headers: { accept } }));
  /** Documents that are read after this request show the changed definition: a changed schema is published at once. */
  const setVersions = async (
    versions: readonly object[],
    isServed: () => Promise<boolean>,
  ): Promise<void> => {
    const options = { body: { spec: { versions } }, contentType: 'application/merge-patch+json' };
    jsonOf(await server.client.send('PATCH', DEFINITION, options));
    const deadline = AbortSignal.timeout(10_000);
    while (!(await isServed())) deadline.throwIfAborted();
  };

  it('discovery lists versions, resources, subresources, short names and categories', async () => {
    const { groups } = await get('/apis');
    const group = groups.find(({ name }: Json) => name === GROUP);
    assert.deepEqual(
      [group.versions.map(({ version }: Json) => version), group.preferredVersion.version],
      [['v1', 'v1beta1'], 'v1'],
    );
    assert.deepEqual(await get(`/apis/${GROUP}`), { kind: 'APIGroup', apiVersion: 'v1', ...group });
    const { resources } = await get(`/apis/${GROUP}/v1`);
    const [books, ...others] = resources;
    const { storageVersionHash: hash, ...listed } = books;
    assert.match(hash, /^[A-Za-z0-9+/]{11}=$/);
    assert.deepEqual(listed, {
      name: 'books',
      singularName: 'book',
      namespaced: true,
      kind: 'Book',
      verbs: [...listed.verbs],
      shortNames: ['bo'],
      categories: ['all'],
    });
    assert.deepEqual([...listed.verbs].sort(), [
      'create',
      'delete',
      'deletecollection',
      'get',
      'list',
      'patch',
      'update',
      'watch',
    ]);
    assert.deepEqual(
      others.map(({ name, kind, group: of, version, verbs }: Json) => [
        name,
        kind,
        of,
        version,
        [...verbs].sort().join(),
      ]),
      [
        ['books/scale', 'Scale', 'autoscaling', 'v1', 'get,patch,update'],
        ['books/status', 'Book', undefined, undefined, 'get,patch,update'],
      ],
    );
    assert.deepEqual(
      (await get(`/apis/${GROUP}/v1beta1`)).resources.map(({ name }: Json) => name),
      ['books'],
    );
  });

  it('scale of a custom object is a table with the columns of replicas', async () => {
    const books = `/apis/${GROUP}/v1/namespaces/default/books`;
    const body = {
      apiVersion: `${GROUP}/v1`,
      kind: 'Book',
      metadata: { name: 'b' },
      spec: { text: 'a', replicas: 4 },
    };
    assert.equal((await server.client.send('POST', books, { body })).status, 201);
    const table = await get(`${books}/b/scale`, 'application/json;as=Table;g=meta.k8s.io;v=v1');
    assert.deepEqual(
      table.columnDefinitions.map(({ name, type }: Json) => [name, type]),
      [
        ['Name', 'string'],
        ['Desired', 'integer'],
        ['Available', 'integer'],
        ['Age', 'string'],
      ],
    );
    assert.deepEqual(table.rows[0].cells.slice(0, 3), ['b', 4, 0]);
  });

  it('aggregated discovery lists the same resources', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
    const { items } = await get('/apis', accept);
    const group = items.find(({ metadata }: Json) => metadata.name === GROUP);
    const [v1, v1beta1] = group.versions;
    assert.deepEqual([v1.version, v1beta1.version, group.versions.length], ['v1', 'v1beta1', 2]);
    const [books] = v1.resources;
    assert.deepEqual(
      [
        books.resource,
        books.responseKind,
        books.scope,
        books.singularResource,
        books.shortNames,
        books.categories,
      ],
      ['books', { group: GROUP, version: 'v1', kind: 'Book' }, 'Namespaced', 'book', ['bo'], ['all']],
    );
    assert.deepEqual(
      books.subresources.map(({ subresource, responseKind }: Json) => [subresource, responseKind.kind]),
      [
        ['scale', 'Scale'],
        ['status', 'Book'],
      ],
    );
    assert.equal(v1beta1.resources[0].subresources, undefined);
  });

  it('OpenAPI describes operations with the media types that custom resources are served in', async () => {
    const { paths } = await get('/openapi/v2');
    const { patch, get: read, parameters } = paths[`/apis/${GROUP}/v1/namespaces/{namespace}/books/{name}`];
    assert.deepEqual(patch.consumes, [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/apply-patch+yaml',
    ]);
    assert.deepEqual(read.produces, ['application/json', 'application/yaml']);
    assert.ok(parameters.length > 0);
    assert.ok(paths[`/apis/${GROUP}/v1/namespaces/{namespace}/books/{name}/scale`] !== undefined);
    const v3 = await get(`/openapi/v3/apis/${GROUP}/v1`);
    const path = v3.paths[`/apis/${GROUP}/v1/namespaces/{namespace}/books/{name}`];
    assert.deepEqual(Object.keys(path.patch.requestBody.content), patch.consumes);
    assert.deepEqual(Object.keys(path.get.responses['200'].content), read.produces);
    assert.deepEqual(path.get[`x-kubernetes-group-version-kind`], {
      group: GROUP,
      version: 'v1',
      kind: 'Book',
    });
  });

  it('the storage version hash changes with the storage version, and with nothing else', async () => {
    const hashes = async (): Promise<readonly string[]> =>
      Promise.all(
        ['v1', 'v1beta1'].map(
          async (version) => (await get(`/apis/${GROUP}/${version}`)).resources[0].storageVersionHash,
        ),
      );
    const before = await hashes();
    assert.equal(before[0], before[1]);
    const published = async (name: string): Promise<boolean> =>
      name in
      (await get(`/openapi/v3/apis/${GROUP}/v1`)).components.schemas['com.example.docs.v1.Book'].properties
        .spec.properties;
    const properties = { text, more: text };
    await setVersions(
      [versionOf('v1', { storage: true, subresources, properties }), versionOf('v1beta1')],
      () => published('more'),
    );
    assert.deepEqual(await hashes(), before);
    const moved = [versionOf('v1', { subresources, properties }), versionOf('v1beta1', { storage: true })];
    await setVersions(moved, async () => (await hashes())[0] !== before[0]);
    const after = await hashes();
    assert.equal(after[0], after[1]);
    await setVersions(
      [versionOf('v1', { storage: true, subresources }), versionOf('v1beta1')],
      async () => (await hashes())[0] === before[0],
    );
    assert.deepEqual(await hashes(), before);
  });

  it('a changed schema changes the ETag of its group version in OpenAPI, and of no other', async () => {
    const index = async (): Promise<Record<string, { serverRelativeURL: string }>> =>
      (await get('/openapi/v3')).paths;
    const etags = async (): Promise<Record<string, string>> => {
      const all = Object.keys(await index()).filter((path) => /example\.com|apps|^api\/v1$/.test(path));
      return Object.fromEntries(
        await Promise.all(
          all.map(async (path) => [
            path,
            String((await server.client.get(`/openapi/v3/${path}`)).headers['etag']),
          ]),
        ),
      );
    };
    const [indexed, tagged] = [await index(), await etags()];
    const changed = `apis/${GROUP}/v1beta1`;
    assert.ok(Object.keys(tagged).length > 5 && changed in tagged, Object.keys(tagged).join());
    const versions = [
      versionOf('v1', { storage: true, subresources }),
      versionOf('v1beta1', { properties: { text, late: text } }),
    ];
    await setVersions(
      versions,
      async () => (await index())[changed]?.serverRelativeURL !== indexed[changed]?.serverRelativeURL,
    );
    const [indexedAfter, taggedAfter] = [await index(), await etags()];
    const different = <T>(a: Record<string, T>, b: Record<string, T>): readonly string[] =>
      Object.keys(a).filter((path) => JSON.stringify(a[path]) !== JSON.stringify(b[path]));
    assert.deepEqual(
      [different(indexed, indexedAfter), different(tagged, taggedAfter)],
      [[changed], [changed]],
    );
    const unchanged = await server.client.get(`/openapi/v3/${changed}`, {
      headers: { 'if-none-match': taggedAfter[changed] ?? '' },
    });
    assert.equal(unchanged.status, 304);
  });

  it('a version that is no longer served leaves discovery, OpenAPI and the paths, and comes back', async () => {
    const isListed = async (): Promise<boolean> =>
      (await get(`/apis/${GROUP}`)).versions.some(({ version }: Json) => version === 'v1beta1');
    const [v1, unserved] = [
      versionOf('v1', { storage: true, subresources }),
      versionOf('v1beta1', { served: false }),
    ];
    await setVersions([v1, unserved], async () => !(await isListed()));
    assert.equal((await server.client.get(`/apis/${GROUP}/v1beta1/books`)).status, 404);
    assert.equal((await server.client.get(`/apis/${GROUP}/v1beta1`)).status, 404);
    const published = AbortSignal.timeout(10_000);
    while ((await server.client.get(`/openapi/v3/apis/${GROUP}/v1beta1`)).status !== 404)
      published.throwIfAborted();
    const definitions = async (): Promise<Json> => (await get('/openapi/v2')).definitions;
    while ('com.example.docs.v1beta1.Book' in (await definitions())) published.throwIfAborted();
    assert.equal((await definitions())['com.example.docs.v1.Book'].description, 'What is read.');
    await setVersions([v1, versionOf('v1beta1')], isListed);
    assert.equal((await server.client.get(`/apis/${GROUP}/v1beta1/books`)).status, 200);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes, fieldServedIn, type Release, typeIn, typesAt } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { type OpenApi, type OpenApiDocument, openApi } from '@orch/schema';
import { wholeBody } from '@orch/schema/testing';
import { servedSubresources } from '../groups/index.ts';
import { type DocumentedResource, documentedResource, openApiInput } from './input.ts';

interface Json {
  readonly [field: string]: Json;
}

const names = namesFor('orch');
const releases: readonly Release[] = Array.from({ length: 13 }, (_, i): Release => `1.${15 + i}`);
const proxyMethods = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put'];

/** All resources that a release can serve, alpha versions included. */
const servedIn = (release: Release): readonly DocumentedResource[] =>
  typesAt(release, builtinTypes, () => true).flatMap((row) =>
    row.served.map((version) => {
      const groupKey = version.group ?? row.group;
      return {
        type: typeIn(row, version),
        version: version.version,
        group: names.group(groupKey),
        groupKey,
        schema: version.schema,
      };
    }),
  );

function documentsOf(release: Release, openGates: readonly string[] = []): OpenApi {
  const resources = servedIn(release).map((resource) => documentedResource(resource, names));
  const includes = fieldServedIn(release, new Set(openGates));
  return openApi(openApiInput({ names, release, resources, includes }));
}

/** The documents of each release with its default gates: to encode them takes most of the time of these tests. */
const documents = new Map(releases.map((release) => [release, documentsOf(release)]));

const parsed = async (document: Promise<OpenApiDocument> | undefined): Promise<Json> =>
  JSON.parse(String(await wholeBody(await document))) as Json;

/** The document that was parsed last: several tests in a row read the same one, and all of them together are large. */
let last: { readonly release: Release; readonly whole: Promise<Json> } | undefined;

/** The document of version 2 of a release. */
function wholeOf(release: Release): Promise<Json> {
  if (last?.release !== release) last = { release, whole: parsed(documents.get(release)?.v2Json()) };
  return last.whole;
}

const definitionsOf = (document: Json): Json =>
  document['definitions'] ?? document['components']?.['schemas'] ?? {};

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    // An object under this name is a field called `$ref`.
    if (name === '$ref' && typeof field === 'string') yield field;
    else yield* references(field);
  }
}

/** The methods of a resource, or of a subresource, by path. */
function* pathsOf({
  type,
  group,
  version,
}: DocumentedResource): Generator<readonly [string, readonly string[]]> {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${base}/${type.namespaced ? 'namespaces/{namespace}/' : ''}${type.resource}`;
  const methods = (verbs: Readonly<Record<string, string>>, of: readonly string[]) =>
    of.flatMap((verb) => verbs[verb] ?? []);
  yield [collection, methods({ list: 'get', create: 'post', deletecollection: 'delete' }, type.verbs)];
  const ofObject = { get: 'get', update: 'put', patch: 'patch', delete: 'delete' };
  yield [`${collection}/{name}`, methods(ofObject, type.verbs)];
  if (type.namespaced && type.verbs.includes('list')) yield [`${base}/${type.resource}`, ['get']];
  for (const { name, verbs, behaviour } of servedSubresources({ type })) {
    const documented = behaviour === 'proxy' ? proxyMethods : methods({ ...ofObject, create: 'post' }, verbs);
    yield [`${collection}/{name}/${name}`, documented];
  }
}

const operationIds = (document: Json): readonly unknown[] =>
  Object.values(document['paths'] ?? {}).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === 'parameters' ? [] : [operation['operationId']],
    ),
  );

function checkWhole(document: Json, prefix: string): void {
  const definitions = definitionsOf(document);
  for (const reference of references(document)) {
    assert.ok(reference.startsWith(prefix) && reference.slice(prefix.length) in definitions, reference);
  }
  const ids = operationIds(document);
  assert.equal(new Set(ids).size, ids.length, 'operations share an id');
}

function checkDescriptions(document: Json): void {
  for (const [name, { description, properties = {}, ...rest }] of Object.entries(definitionsOf(document))) {
    assert.match(String(description ?? ''), /[.!]$/, `${name} ${JSON.stringify(rest)}`);
    for (const [field, property] of Object.entries(properties)) {
      assert.match(String(property['description'] ?? ''), /\.$/, `${name}.${field}`);
    }
  }
}

for (const release of releases) {
  describe(`OpenAPI documents of release ${release}`, () => {
    it('the document is complete and every definition is described', async () => {
      const document = await wholeOf(release);
      checkWhole(document, '#/definitions/');
      checkDescriptions(document);
    });

    it('every resource is documented with its methods and the definition of its kind', async () => {
      const { paths = {}, definitions = {} } = await wholeOf(release);
      const extension = names.schemaExtensions.groupVersionKind;
      const published = new Set(
        Object.values(definitions).flatMap((definition) =>
          Object.values(definition[extension] ?? {}).map(
            ({ group, version, kind }) => `${group}/${version} ${kind}`,
          ),
        ),
      );
      for (const resource of servedIn(release)) {
        const { group, version, type } = resource;
        assert.ok(published.has(`${group}/${version} ${type.kind}`), `${group}/${version} ${type.kind}`);
        for (const [path, methods] of pathsOf(resource)) {
          const documented = Object.keys(paths[path] ?? {}).filter((method) => method !== 'parameters');
          assert.deepEqual(documented.sort(), [...methods].sort(), path);
        }
      }
    });
  });
}

describe('OpenAPI documents of group versions', () => {
  for (const release of ['1.24', '1.27'] as const) {
    it(`each document is complete, and together they equal the one of version 2: ${release}`, async () => {
      const api = documents.get(release) ?? assert.fail(release);
      const whole = await wholeOf(release);
      const seen = new Set<string>();
      const ids: unknown[] = [];
      for (const path of api.v3Paths()) {
        const document = await parsed(api.v3(path));
        checkWhole(document, '#/components/schemas/');
        checkDescriptions(document);
        for (const name of Object.keys(definitionsOf(document))) seen.add(name);
        ids.push(...operationIds(document));
      }
      assert.deepEqual([...seen].sort(), Object.keys(definitionsOf(whole)).sort());
      assert.deepEqual(ids.sort(), [...operationIds(whole)].sort());
    });
  }
});

describe('OpenAPI fields behind feature gates', () => {
  const minDomains = async (release: Release, openGates?: readonly string[]): Promise<Json | undefined> =>
    definitionsOf(
      await (openGates === undefined ? wholeOf(release) : parsed(documentsOf(release, openGates).v2Json())),
    )[names.definitionName('core.v1.TopologySpreadConstraint')]?.['properties']?.['minDomains'];

  it('a gated field is published in releases with the gate, with a remark while it is disabled', async () => {
    assert.equal(await minDomains('1.23'), undefined);
    const remark = /Ignored unless the feature gate MinDomainsInPodTopologySpread is open\.$/;
    assert.match(String((await minDomains('1.24'))?.['description']), remark);
    for (const open of [minDomains('1.24', ['MinDomainsInPodTopologySpread']), minDomains('1.27')]) {
      assert.doesNotMatch(String((await open)?.['description'] ?? 'Ignored'), /Ignored/);
    }
  });
});

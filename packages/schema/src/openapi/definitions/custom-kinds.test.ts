import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { readStructural } from '../../structural/read-structural.ts';
import { structuralKind } from '../../structural/structural-kind.ts';
import { readGnosticV2 } from '../../testing/gnostic-v2-reader.ts';
import { readGnosticV3 } from '../../testing/gnostic-v3-reader.ts';
import { type Json, operationsOf, parsed, wholeBody } from '../../testing/parsed-documents.ts';
import { ObjectMeta } from '../../testing/widget.ts';
import { widgetApi } from '../../testing/widget-api.ts';
import { openApi } from '../documents.ts';
import type { OpenApiInput, OpenApiResource } from '../input.ts';

const base = widgetApi('kubernetes');
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** A resource of a custom kind, and the number of times its schema was parsed. */
function crontabs(
  schema: JsonObject | undefined,
  group = 'stable.example.com',
): { readonly resource: OpenApiResource; readonly reads: () => number } {
  const kind = { group, version: 'v1', kind: 'CronTab' };
  let reads = 0;
  function* document(): Work<JsonObject | undefined> {
    yield;
    reads++;
    return schema;
  }
  const resource: OpenApiResource = {
    ...kind,
    resource: 'crontabs',
    namespaced: true,
    verbs,
    subresources: [],
    schema: structuralKind({
      name: `${group}.v1.CronTab`,
      doc: '',
      metadata: ObjectMeta,
      structural: () => readStructural(schema ?? {}, base.names),
      custom: { ...kind, listKind: 'CronTabList', document },
    }),
  };
  return { resource, reads: () => reads };
}

const served = (...resources: OpenApiResource[]): OpenApiInput => ({
  ...base,
  objectMediaTypes: ['application/json', 'application/yaml', base.names.mediaTypes.protobuf],
  patchMediaTypes: ['application/merge-patch+json', 'application/strategic-merge-patch+json'],
  resources: [...base.resources, ...resources],
});

const schema: JsonObject = {
  description: 'A job that runs at times.',
  type: 'object',
  required: ['spec'],
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
    spec: {
      type: 'object',
      required: ['cron', 'maybe'],
      properties: {
        cron: { type: 'string', description: 'When it runs.', pattern: '^.*$', maxLength: 20, title: 'Cron' },
        replicas: { type: 'integer', minimum: 0, maximum: 9, default: 1, multipleOf: 1 },
        on: { type: 'boolean', default: false },
        port: { 'x-kubernetes-int-or-string': true },
        maybe: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { a: { type: 'string' } },
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        open: { type: 'object', additionalProperties: true },
        list: {
          type: 'array',
          maxItems: 3,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', required: ['k'], properties: { k: { type: 'string', enum: ['a', 'b'] } } },
        },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', default: { a: 1 } } },
        },
        one: { type: 'string', oneOf: [{ minLength: 1 }], not: { enum: ['x'] } },
      },
      'x-kubernetes-validations': [{ rule: 'true', message: 'never' }],
    },
  },
};
const name = 'com.example.stable.v1.CronTab';

const definitionsOf = async (input: OpenApiInput): Promise<Record<string, Json>> =>
  (await parsed(openApi(input).v2Json()))['definitions'] as unknown as Record<string, Json>;
const schemasOf = async (input: OpenApiInput): Promise<Record<string, Json>> => {
  const document = await parsed(openApi(input).v3('apis/stable.example.com/v1'));
  return document['components']?.['schemas'] as unknown as Record<string, Json>;
};
const at = (definition: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((value, field) => (value as JsonObject)[field], definition);

describe('custom kinds in the documents', () => {
  const input = served(crontabs(schema).resource);

  it('definitions of custom kinds are named by their reversed group and contain their kind', async () => {
    for (const definitions of [await definitionsOf(input), await schemasOf(input)]) {
      const gvk = { group: 'stable.example.com', version: 'v1' };
      assert.deepEqual(at(definitions, name, 'x-kubernetes-group-version-kind'), [
        { ...gvk, kind: 'CronTab' },
      ]);
      assert.deepEqual(at(definitions, `${name}List`, 'x-kubernetes-group-version-kind'), [
        { ...gvk, kind: 'CronTabList' },
      ]);
      assert.equal(at(definitions, name, 'description'), 'A job that runs at times.');
      assert.equal(at(definitions, name, 'properties', 'apiVersion', 'type'), 'string');
      assert.match(JSON.stringify(at(definitions, name, 'properties', 'metadata')), /"\$ref":".*ObjectMeta"/);
    }
  });

  it('custom kinds have all keywords in version 3', async () => {
    const spec = at(await schemasOf(input), name, 'properties', 'spec') as JsonObject;
    const { properties: published, ...rest } = spec;
    const { metadata: _metadata, ...template } = at(published, 'template', 'properties') as JsonObject;
    assert.deepEqual(rest, {
      type: 'object',
      required: ['cron', 'maybe'],
      'x-kubernetes-validations': [{ rule: 'true', message: 'never' }],
    });
    assert.deepEqual(template['spec'], { type: 'object', default: { a: 1 } });
    assert.deepEqual(at(published, 'template', 'required'), ['kind', 'apiVersion']);
    const expected = at(schema, 'properties', 'spec', 'properties') as JsonObject;
    for (const field of ['cron', 'replicas', 'on', 'maybe', 'free', 'labels', 'open', 'list', 'one'])
      assert.deepEqual(at(published, field), expected[field], field);
    assert.deepEqual(at(published, 'port'), {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    });
  });

  it('schemas of custom kinds are simplified in version 2', async () => {
    const spec = at(await definitionsOf(input), name, 'properties', 'spec');
    assert.deepEqual(at(spec, 'required'), ['cron']);
    assert.deepEqual(at(spec, 'properties', 'maybe'), {});
    assert.deepEqual(at(spec, 'properties', 'free'), { 'x-kubernetes-preserve-unknown-fields': true });
    assert.deepEqual(at(spec, 'properties', 'one'), { type: 'string' });
    assert.deepEqual(at(spec, 'properties', 'port'), { 'x-kubernetes-int-or-string': true });
  });

  it('custom kinds have no properties in version 2 if all fields are preserved, and in both versions without a schema', async () => {
    const free = served(crontabs({ ...schema, 'x-kubernetes-preserve-unknown-fields': true }).resource);
    assert.equal(at(await definitionsOf(free), name, 'properties'), undefined);
    assert.notEqual(at(await schemasOf(free), name, 'properties', 'spec'), undefined);
    const none = served(crontabs(undefined).resource);
    assert.equal(at(await definitionsOf(none), name, 'properties'), undefined);
    assert.equal(at(await schemasOf(none), name, 'properties'), undefined);
  });

  it('a root that preserves all fields is a bare object in version 2 and has its keyword in version 3', async () => {
    const preserves = { 'x-kubernetes-preserve-unknown-fields': true };
    const kinds = [{ group: 'stable.example.com', version: 'v1', kind: 'CronTab' }];
    for (const root of [
      { type: 'object', ...preserves },
      { ...schema, description: '', ...preserves },
    ]) {
      const input = served(crontabs(root).resource);
      assert.deepEqual((await definitionsOf(input))[name], {
        type: 'object',
        'x-kubernetes-group-version-kind': kinds,
      });
      const v3 = (await schemasOf(input))[name] as unknown as JsonObject;
      assert.equal(v3['x-kubernetes-preserve-unknown-fields'], true);
      assert.equal(v3['additionalProperties'], undefined);
      assert.ok(
        ['apiVersion', 'kind', 'metadata'].every((field) => Object.hasOwn(v3['properties'] ?? {}, field)),
      );
    }
  });

  it('fields of every custom kind have the descriptions that tests of clients look for', async () => {
    for (const definitions of [await definitionsOf(input), await schemasOf(input)]) {
      const described = (field: string, kind = name) =>
        String(at(definitions, kind, 'properties', field, 'description'));
      for (const kind of [name, `${name}List`]) {
        assert.match(described('apiVersion', kind), /^APIVersion defines /);
        assert.match(described('kind', kind), /^Kind is a string value /);
      }
      assert.match(described('metadata'), /^Standard object's metadata\./);
      assert.match(described('metadata', `${name}List`), /^Standard list metadata/);
    }
  });

  it('custom kinds have neither Protobuf nor strategic merge patches, and built-in kinds have both', async () => {
    const operations = operationsOf(await parsed(openApi(input).v2Json()));
    const path = '/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}';
    assert.deepEqual(at(operations.get(`patch ${path}`), 'consumes'), ['application/merge-patch+json']);
    assert.deepEqual(at(operations.get(`get ${path}`), 'produces'), ['application/json', 'application/yaml']);
    const builtIn = operations.get('patch /api/v1/namespaces/{namespace}/widgets/{name}');
    assert.equal((at(builtIn, 'consumes') as readonly string[]).length, 2);
  });

  it('documents of custom kinds are equal in Protobuf except for defaults that are objects', async () => {
    const { properties, ...rest } = schema;
    const template = { template: { type: 'string' } };
    const spec = at(properties, 'spec') as JsonObject;
    const plain = {
      ...rest,
      properties: { spec: { ...spec, properties: { ...(spec['properties'] as JsonObject), ...template } } },
    };
    const api = openApi(served(crontabs(plain).resource));
    const path = 'apis/stable.example.com/v1';
    const [v2, v2Json] = await Promise.all([api.v2Protobuf(), api.v2Json()]);
    assert.deepEqual(readGnosticV2(await wholeBody(v2)), JSON.parse(String(await wholeBody(v2Json))));
    const [v3, v3Json] = await Promise.all([api.v3Protobuf(path), api.v3(path)]);
    assert.ok(v3 !== undefined && v3Json !== undefined);
    assert.deepEqual(readGnosticV3(await wholeBody(v3)), JSON.parse(String(await wholeBody(v3Json))));
    await openApi(input).v3Protobuf(path);
  });

  it('custom kinds cannot replace a built-in definition', async () => {
    const { resource } = crontabs(schema, 'core.api.k8s.io');
    const definitions = await definitionsOf(served(resource));
    assert.notEqual(at(definitions, 'custom.io.k8s.api.core.v1.CronTab'), undefined);
    assert.equal(definitions['io.k8s.api.core.v1.CronTab'], undefined);
  });

  it('schemas of custom kinds are parsed only for the documents of their group', async () => {
    const { reads, resource } = crontabs(schema);
    const api = openApi(served(resource));
    await api.v3('api/v1');
    assert.equal(reads(), 0);
    await api.v3('apis/stable.example.com/v1');
    await api.v3('apis/stable.example.com/v1');
    assert.equal(reads(), 1);
  });
});

describe('version 2 after a definition was added', () => {
  const many = Array.from({ length: 5 }, (_, i) => crontabs(schema, `g${i}.example.com`));
  const resources = served(...many.map(({ resource }) => resource)).resources;
  const reads = (): number => many.reduce((sum, one) => sum + one.reads(), 0);

  it('version 2 is equal to a document that was built at once, and other groups are not built again', async () => {
    const before = openApi({ ...base, resources });
    await Promise.all([before.v2Json(), before.v2Protobuf()]);
    const built = reads();
    const added = crontabs(schema, 'added.example.com');
    const changed = [...resources, added.resource];
    const after = before.replaced(changed);
    const documents = [await after.v2Json(), await after.v2Protobuf()];
    assert.equal(reads(), built, 'no schema of another group was read');
    assert.equal(added.reads(), 1, 'one read for both encodings');
    const whole = openApi({ ...base, resources: changed });
    assert.deepEqual(
      documents.map(({ hash }) => hash),
      [(await whole.v2Json()).hash, (await whole.v2Protobuf()).hash],
    );
  });

  it('version 2 is made without reading the schemas that were read for version 3', async () => {
    const groups = Array.from({ length: 5 }, (_, i) => crontabs(schema, `read${i}.example.com`));
    const api = openApi(served(...groups.map(({ resource }) => resource)));
    await api.v3Index();
    await Promise.all([api.v2Json(), api.v2Protobuf()]);
    assert.deepEqual(
      groups.map((group) => group.reads()),
      groups.map(() => 1),
    );
  });

  it('a second definition in a group causes no other definition to be read again', async () => {
    const before = openApi({ ...base, resources });
    await before.v2Json();
    const built = many.map((one) => one.reads());
    const { resource } = crontabs(schema, 'g0.example.com');
    const { custom } = resource.schema;
    assert.ok(custom !== undefined);
    const named = { ...custom, kind: 'Other', listKind: 'OtherList' };
    const other: OpenApiResource = {
      ...resource,
      kind: 'Other',
      resource: 'others',
      schema: { ...resource.schema, name: 'g0.example.com.v1.Other', custom: named },
    };
    await before.replaced([...resources, other]).v2Json();
    assert.deepEqual(
      many.map((one) => one.reads()),
      built,
    );
  });

  it('a removed group is absent', async () => {
    const before = openApi({ ...base, resources });
    await before.v2Json();
    const fewer = resources.slice(0, -1);
    const { hash } = await before.replaced(fewer).v2Json();
    assert.equal(hash, (await openApi({ ...base, resources: fewer }).v2Json()).hash);
  });
});

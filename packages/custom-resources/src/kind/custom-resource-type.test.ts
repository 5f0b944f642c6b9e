import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { type JsonObject, numberFromText } from '@orch/machinery/json';
import { codecCompiler } from '@orch/schema';
import { customTable } from './columns.ts';
import { type CustomResource, customResource } from './custom-resource-type.ts';
import { customScale } from './scale.ts';
import { customFields } from './selectable-fields.ts';

const names = namesFor('orch');

const defined = (versions: readonly JsonObject[], spec: JsonObject = {}): CustomResource =>
  customResource(
    {
      kind: 'CustomResourceDefinition',
      apiVersion: names.apiVersion('apiextensions', 'v1'),
      metadata: { name: 'things.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', versions, ...spec },
      status: {
        acceptedNames: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      },
    } as ApiObject,
    names,
  );

const withSchema = (properties: JsonObject): JsonObject => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties } },
});

const thing = (members: JsonObject): ApiObject =>
  ({ kind: 'Thing', apiVersion: 'example.com/v1', metadata: { name: 'x' }, ...members }) as ApiObject;

describe('the kind that a definition defines', () => {
  it('the kind that a definition defines has its versions in order of preference', () => {
    const versions = ['v1alpha1', 'v2', 'foo', 'v1', 'v10', 'v2beta1'].map((name) => ({
      name,
      served: true,
    }));
    assert.deepEqual(
      defined(versions).versions.map(({ name }) => name),
      ['v10', 'v2', 'v1', 'v2beta1', 'v1alpha1', 'foo'],
    );
  });

  it('the kind that a definition defines has the names that were accepted', () => {
    const [version] = defined([withSchema({})]).versions;
    const { kind, namespaced, resource, shortNames, singular } = version?.type ?? {};
    assert.deepEqual(
      [kind, resource, singular, shortNames, namespaced],
      ['Thing', 'things', 'thing', [], true],
    );
  });

  it('the kind that a definition defines reads, defaults and validates objects by its schema', () => {
    const size = { type: 'integer', default: 3, maximum: 5 };
    const [version] = defined([withSchema({ spec: { type: 'object', properties: { size } } })]).versions;
    const schema = version?.type.versions[0]?.schema;
    assert.ok(schema !== undefined);
    const codec = codecCompiler(names).compile(schema);
    const { value } = codec.decode(thing({ spec: { color: 'red' } }), { defaults: true });
    assert.deepEqual(value['spec'], { size: 3 });
    assert.equal(codec.validate(thing({ spec: { size: 6 } })).length, 1);
  });

  it('the kind that a definition defines keeps everything in versions without a schema, and where the definition preserves unknown fields', () => {
    const spec = { a: { b: 1 } };
    for (const resource of [
      defined([{ name: 'v1' }]),
      defined([withSchema({ status: { type: 'object' } })], { preserveUnknownFields: true }),
    ]) {
      const schema = resource.versions[0]?.type.versions[0]?.schema;
      assert.ok(schema !== undefined);
      assert.deepEqual(codecCompiler(names).compile(schema).decode(thing({ spec })).value['spec'], spec);
    }
  });

  it('the kind that a definition defines keeps undeclared fields below declared ones where the definition preserves unknown fields', () => {
    const properties = {
      declared: { properties: { a: { type: 'string' } } },
      list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
      bare: { type: 'array' },
      any: {},
      map: { type: 'object', additionalProperties: { type: 'object', properties: {} } },
      either: { 'x-orch-int-or-string': true },
    };
    const schema = withSchema({ spec: { type: 'object', properties, maxProperties: 7 } });
    const type = defined([schema], { preserveUnknownFields: true }).versions[0]?.type.versions[0]?.schema;
    assert.ok(type !== undefined);
    const codec = codecCompiler(names).compile(type);
    const spec = {
      any: [{ x: { y: 1 } }],
      bare: [{ x: [{ y: 1 }] }],
      declared: { a: 'b', other: { x: 1 } },
      either: 5,
      list: [{ other: 1 }],
      map: { k: { other: 1 } },
      more: { x: null },
    };
    assert.deepEqual(codec.decode(thing({ spec, root: { x: 1 } })).value['spec'], spec);
    assert.equal(codec.validate(thing({ spec: { ...spec, declared: { a: 1 } } })).length, 1);
    assert.equal(codec.validate(thing({ spec: { ...spec, eighth: 1 } })).length, 1);
  });

  it('the kind that a definition defines has the subresources of its version', () => {
    const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
    const [version] = defined([{ ...withSchema({}), subresources: { status: {}, scale } }]).versions;
    assert.deepEqual(
      version?.type.subresources.map(({ name, kind }) => [name, kind.group, kind.kind]),
      [
        ['status', 'example.com', 'Thing'],
        ['scale', 'autoscaling', 'Scale'],
      ],
    );
    assert.equal(version?.type.strategy.resetStatus, true);
  });

  it('the kind that a definition defines parses a schema on first use only', () => {
    const [version] = defined([withSchema({ spec: { type: 'string' } })]).versions;
    assert.ok((version?.schema.size ?? 0) > 0);
    assert.equal(version?.schema.structural(), version?.schema.structural());
  });
});

describe('tables of custom kinds', () => {
  const cell = (type: string, jsonPath: string, object: JsonObject): unknown =>
    customTable([{ name: 'C', type, jsonPath }]).cells(thing(object), names)[1];
  const rows: readonly (readonly [type: string, path: string, value: unknown, expected: unknown])[] = [
    ['string', '.v', 'a', 'a'],
    ['string', '.v', 3, '3'],
    ['string', '.v', 1.5, '1.5'],
    ['string', '.v', true, 'true'],
    ['string', '.v', { a: [1] }, '{"a":[1]}'],
    ['string', '.v', null, '<no value>'],
    ['integer', '.v', 3.7, 3],
    ['integer', '.v', '3', null],
    ['integer', '.v', numberFromText('9223372036854775807'), numberFromText('9223372036854775807')],
    ['integer', '.v', numberFromText('9223372036854775808'), 2 ** 63],
    ['string', '.v', numberFromText('9223372036854775807'), '9223372036854775807'],
    ['number', '.v', 1.5, 1.5],
    ['boolean', '.v', false, false],
    ['boolean', '.v', 'true', null],
    ['date', '.v', '2024-01-01T00:00:00Z', { age: '2024-01-01T00:00:00Z' }],
    ['date', '.v', 'yesterday', '<invalid>'],
    ['date', '.v', '', { age: undefined }],
    ['string', '.v[0]', [], null],
    ['string', '.missing', 'a', null],
    ['string', '.v[?(@.type=="Ready")].status', [{ type: 'Ready', status: 'True' }], 'True'],
  ];
  for (const [type, path, value, expected] of rows) {
    it(`${path} as ${type} shows ${JSON.stringify(expected)} for ${JSON.stringify(value)}`, () =>
      assert.deepEqual(cell(type, path, { v: value }), expected));
  }

  it('tables of custom kinds have the name and the age when the definition gives no columns', () => {
    assert.deepEqual(
      customTable([]).columns.map(({ name, type }) => [name, type]),
      [
        ['Name', 'string'],
        ['Age', 'date'],
      ],
    );
  });

  it('tables of custom kinds have the columns of the definition in its order, with their priority', () => {
    const { columns } = customTable([
      { name: 'Size', type: 'integer', format: 'int32', jsonPath: '.spec.size', priority: 1 },
      { name: 'Color', type: 'string', jsonPath: '.spec.color', description: 'Its color.' },
    ]);
    assert.deepEqual(
      columns.map(({ description, format, name, priority }) => [name, format, priority, description]),
      [
        ['Name', 'name', 0, columns[0]?.description],
        ['Size', 'int32', 1, 'Custom resource definition column (in JSONPath format): .spec.size'],
        ['Color', '', 0, 'Its color.'],
      ],
    );
  });
});

describe('paths of a definition', () => {
  it('paths of a definition map a custom object to a scale and back', () => {
    const scale = customScale({
      specReplicasPath: '.spec.a\\.b.n',
      statusReplicasPath: '.status.n',
      labelSelectorPath: '.status.selector',
    });
    const object = thing({ status: { n: 2, selector: 'a=b' } });
    assert.deepEqual(
      [scale.replicas(object), scale.statusReplicas(object), scale.selector(object)],
      [0, 2, 'a=b'],
    );
    scale.setReplicas(object, 4);
    assert.deepEqual(object['spec'], { 'a.b': { n: 4 } });
    assert.equal(scale.replicas(object), 4);
  });

  it('paths of a definition select objects by their fields', () => {
    const fields = customFields([
      { jsonPath: '.spec.color' },
      { jsonPath: '.spec.on' },
      { jsonPath: '.spec.n' },
    ]);
    const object = thing({ spec: { color: 'red', on: true } });
    assert.deepEqual(
      Object.entries(fields).map(([label, read]) => [label, read(object)]),
      [
        ['spec.color', 'red'],
        ['spec.on', 'true'],
        ['spec.n', ''],
      ],
    );
  });

  it('paths of a definition reach no fields that objects inherit', () => {
    const scale = customScale({
      specReplicasPath: '.spec.constructor.n',
      statusReplicasPath: '.__proto__.n',
    });
    const object = thing({ spec: {} });
    assert.equal(scale.replicas(object), 0);
    scale.setReplicas(object, 1);
    assert.deepEqual(object['spec'], { constructor: { n: 1 } });
    assert.equal(({} as { n?: number }).n, undefined);
  });
});

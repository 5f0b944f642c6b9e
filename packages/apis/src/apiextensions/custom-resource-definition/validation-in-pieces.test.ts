import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { writePath } from '../../testing/write-path.ts';
import { customResourceDefinitions } from './index.ts';
import { customResourceDefinitionStrategy as strategy } from './strategy.ts';

const path = writePath(undefined, undefined, { version: 'apiextensions/v1' });
const { context, names } = path;
const codec = path.codec(customResourceDefinitions);
const key = names.schemaExtensions.validations;

const fields = (count: number, schemaOf: (i: number) => JsonObject): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, schemaOf(i)])),
});

const versionOf = (spec: JsonObject, i = 0): JsonObject => ({
  name: `v${i + 1}`,
  served: true,
  storage: i === 0,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
});

function definition(...versions: JsonObject[]): ApiObject {
  const decoded = codec.decode(
    {
      apiVersion: names.apiVersion('apiextensions', 'v1'),
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.a.io' },
      spec: {
        group: 'a.io',
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions,
      },
    },
    { defaults: true },
  );
  strategy.prepareForCreate?.(decoded.value, context);
  return decoded.value;
}

/** Number of pieces of the validation of a definition, and the fields with errors. */
function validation(next: ApiObject, old?: ApiObject): { pieces: number; errors: readonly string[] } {
  const work = strategy.validation?.(next, old, context);
  assert.ok(work !== undefined);
  for (let pieces = 1; ; pieces++) {
    const { done, value } = work.next();
    if (done === true) return { pieces, errors: value.map(({ field }) => field) };
  }
}

const rules = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, i) => ({ rule: `self > ${i}` }));

describe('the validation of a large definition', () => {
  const kinds: readonly (readonly [title: string, specOf: (size: number) => JsonObject])[] = [
    ['properties', (size) => fields(size, () => ({ type: 'string' }))],
    ['alternatives', (size) => ({ type: 'integer', anyOf: alternatives(size) })],
    ['patterns', (size) => fields(size, (i) => ({ type: 'string', pattern: `^a${i}$` }))],
    ['defaults', (size) => fields(size, (i) => ({ type: 'integer', default: i }))],
    ['rules of one value', (size) => ({ type: 'integer', [key]: rules(size) })],
    ['values with rules', (size) => fields(size, () => ({ type: 'integer', [key]: rules(1) }))],
    [
      'rules of an object with as many fields',
      (size) => ({
        ...fields(size, () => ({ type: 'integer' })),
        [key]: Array.from({ length: size }, (_, i) => ({ rule: `self.p${i} > 0` })),
      }),
    ],
  ];
  for (const [title, specOf] of kinds) {
    it(`the validation of a large definition has as many more pieces as there are more ${title}, so that none becomes longer`, () => {
      const [small, large] = [500, 2000].map((size) => validation(definition(versionOf(specOf(size)))));
      assert.deepEqual([small?.errors, large?.errors], [[], []]);
      const ratio = (large?.pieces ?? 0) / (small?.pieces ?? 1);
      assert.ok(ratio > 3 && ratio < 5, `${small?.pieces} pieces become ${large?.pieces}`);
    });
  }

  it('the validation of a large definition has a piece for every step of the check of a default', () => {
    const list = (value: number[]): JsonObject => ({
      type: 'array',
      items: { type: 'integer' },
      default: value,
    });
    const without = validation(definition(versionOf({ type: 'array', items: { type: 'integer' } })));
    const { errors, pieces } = validation(definition(versionOf(list(Array(50_000).fill(1)))));
    assert.deepEqual(errors, []);
    assert.ok(pieces >= without.pieces + 2, `${pieces} pieces, ${without.pieces} without the default`);
  });

  it('the validation of a large definition has a piece for every rule', () => {
    const { pieces } = validation(definition(versionOf({ type: 'integer', [key]: rules(300) })));
    assert.ok(pieces >= 300, `${pieces}`);
  });
});

function alternatives(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, i) => ({ minimum: i }));
}

describe('an update of a large definition', () => {
  const large = (rule = 'self > 0'): JsonObject =>
    fields(1000, () => ({ type: 'integer', [key]: [{ rule }] }));

  it('an update of a large definition that leaves its schemas as they are does not check them', () => {
    const old = definition(versionOf(large()));
    const next = definition(versionOf(large()));
    next.metadata.labels = { a: 'b' };
    assert.deepEqual(validation(next, old), { pieces: 1, errors: [] });
  });

  it('an update of a large definition checks the schemas of the versions that it changes or adds, and no others', () => {
    const old = definition(versionOf(large()));
    const broken = { type: 'integer', [key]: [{ rule: 'self.' }] };
    const next = definition(versionOf(large()), versionOf(broken, 1));
    const { errors } = validation(next, old);
    assert.deepEqual(errors, [`spec.versions[1].schema.openAPIV3Schema.properties[spec].${key}[0].rule`]);
  });

  it('an update of a large definition checks schemas that it leaves as they are when it enables the status subresource, which restricts them', () => {
    const withRoot = (subresources?: JsonObject): JsonObject => ({
      ...versionOf({}),
      schema: { openAPIV3Schema: { type: 'object', maxProperties: 3 } },
      ...(subresources === undefined ? {} : { subresources }),
    });
    const old = definition(withRoot());
    assert.deepEqual(validation(definition(withRoot({ status: {} })), old).errors, [
      'spec.validation.openAPIV3Schema',
    ]);
    assert.deepEqual(validation(definition(withRoot()), old).errors, []);
  });

  it('an update of a large definition checks schemas that it leaves as they are when unknown fields are no longer preserved', () => {
    const untyped = versionOf({});
    const old = definition(untyped);
    Object.assign(old['spec'] as object, { preserveUnknownFields: true });
    assert.deepEqual(validation(definition(untyped), old).errors, [
      'spec.validation.openAPIV3Schema.properties[spec].type',
    ]);
  });
});

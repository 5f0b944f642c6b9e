import assert from 'node:assert/strict';
import { findKind, ObjectMeta } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { encodeJson, isJsonObject, JsonSyntaxError, jsonEquals, parseJson } from '@orch/machinery/json';
import { codecCompiler, readStructural, structuralKind } from '@orch/schema';
import { type FuzzTarget, unlessRefused } from '../target.ts';

const names = namesFor('kubernetes');
const compiler = codecCompiler(names);
const schema = findKind('apiextensions', 'v1', 'CustomResourceDefinition')?.schema;
assert.ok(schema !== undefined);
const definitions = compiler.compile(schema);

const definitionOf = (openAPIV3Schema: unknown) => ({
  metadata: { name: 'as.b.c' },
  spec: {
    ...{
      group: 'b.c',
      scope: 'Namespaced',
      names: { plural: 'as', kind: 'A', listKind: 'AList', singular: 'a' },
    },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  },
});

const example = (properties: object, spec: unknown): string =>
  JSON.stringify([{ type: 'object', properties: { spec: { type: 'object', properties } } }, { spec }]);

/**
 * A schema is refused with errors, or objects are read by it: what was read and defaulted once is read as it is. The input is a list of
 * the schema and an object.
 */
export const target: FuzzTarget = {
  seeds: [
    example(
      { a: { type: 'integer', minimum: 1, default: 5 }, b: { type: 'string', pattern: '^x' } },
      { b: 'xy', c: 1 },
    ),
    example(
      {
        l: { type: 'array', items: { type: 'object', properties: { k: { type: 'string', default: 'd' } } } },
      },
      { l: [{}, { k: 'a' }, null] },
    ),
    example(
      { o: { type: 'object', additionalProperties: { type: 'number' }, nullable: true } },
      { o: { x: 1.5, y: '1' } },
    ),
    example(
      { e: { 'x-kubernetes-preserve-unknown-fields': true }, i: { 'x-kubernetes-int-or-string': true } },
      { e: { a: [1] }, i: '5%' },
    ),
    example(
      {
        v: {
          type: 'string',
          'x-kubernetes-validations': [{ rule: 'self.size() < 3', message: 'm' }],
          enum: ['a'],
        },
      },
      { v: 'abcd' },
    ),
  ],
  words: [
    '"x-kubernetes-',
    '"allOf":[',
    '"not":{',
    '"default":',
    '"nullable":true',
    '"additionalProperties":',
    '"$ref":"',
  ],
  check(data) {
    const input = unlessRefused(() => parseJson(data), JsonSyntaxError)?.value;
    if (!Array.isArray(input) || !isJsonObject(input[0])) return;
    const [openApi, object] = input;
    const { value: definition, problems } = definitions.decode(definitionOf(openApi));
    if (problems.length > 0 || definitions.validate(definition).length > 0) return;
    const structural = readStructural(openApi, names);
    const kind = structuralKind({
      name: 'A',
      doc: '',
      metadata: () => ObjectMeta,
      structural: () => structural,
    });
    const codec = codecCompiler(names).compile(kind);
    const read = codec.decode(object, { defaults: true });
    if (read.problems.some(({ kind: problem }) => problem !== 'unknown')) return;
    const again = codec.decode(parseJson(encodeJson(read.value)), { defaults: true });
    assert.ok(jsonEquals(again.value, read.value), 'read again');
    assert.deepEqual(codec.validate(again.value), codec.validate(read.value));
  },
};

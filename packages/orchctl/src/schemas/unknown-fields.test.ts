import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SchemaReader } from './schema-reader.ts';
import { unknownFields } from './unknown-fields.ts';

const schemas = {
  Thing: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
      byName: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Part' } },
      wrapped: { allOf: [{ $ref: '#/components/schemas/Part' }], default: {} },
      anything: { type: 'object' },
      open: { type: 'object', properties: { known: {} }, additionalProperties: true },
      closed: { type: 'object', properties: {}, additionalProperties: false },
      kept: { type: 'object', properties: { known: {} }, 'x-any-fields': true },
    },
  },
  Part: { type: 'object', properties: { size: { type: 'integer' } } },
};

const cases: readonly (readonly [value: object, unknown: readonly string[]])[] = [
  [{ name: 'a', labels: { any: 'x' }, parts: [{ size: 1 }] }, []],
  [{ nam: 'a' }, ['nam']],
  [{ parts: [{ size: 1 }, { sise: 2, size: 3 }] }, ['parts[1].sise']],
  [{ byName: { one: { sise: 1 } } }, ['byName.one.sise']],
  [{ wrapped: { sise: 1 } }, ['wrapped.sise']],
  [{ anything: { at: { all: [1] } } }, []],
  [{ open: { known: 1, other: { deep: 2 } } }, []],
  [{ closed: { other: 1 } }, ['closed.other']],
  [{ kept: { other: 1 } }, []],
  [{ name: null, parts: null, labels: null }, []],
  [{ constructor: 1, toString: 2 }, ['constructor', 'toString']],
  [{ parts: 'not a list', labels: 7 }, []],
];

for (const [version, document] of [
  ['3', { openapi: '3.0.0', components: { schemas } }],
  ['2', { swagger: '2.0', definitions: schemas }],
] as const)
  describe(`fields that a schema of OpenAPI version ${version} does not have`, () => {
    const reader = new SchemaReader(document);
    for (const [value, unknown] of cases)
      it(`the unknown fields of ${JSON.stringify(value)} are ${unknown.length === 0 ? 'none' : unknown.join(' and ')}`, () => {
        assert.deepEqual(unknownFields(value, schemas.Thing, { reader, anyFields: 'x-any-fields' }), unknown);
      });
  });

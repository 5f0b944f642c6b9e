import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@orch/machinery/json';
import { schemaTree } from './schema-field.ts';

const schemas: Readonly<Record<string, JsonObject>> = {
  '#/node': {
    type: 'object',
    description: 'A node.',
    properties: { next: { $ref: '#/node' }, all: { type: 'array', items: { $ref: '#/node' } } },
  },
  '#/list': { type: 'array', items: { $ref: '#/list' } },
};
const resolve = (reference: string): JsonObject => schemas[reference] ?? {};

describe('the tree of a schema with references', () => {
  it('a schema that contains itself is a tree without an end', () => {
    let [field] = schemaTree({ $ref: '#/node' }, resolve).fields();
    for (let depth = 0; depth < 50; depth += 1) [field] = field?.fields() ?? [];
    assert.deepEqual([field?.name, field?.type, field?.description], ['next', 'object', 'A node.']);
  });

  it('the items of a list have the fields of the schema that they name', () => {
    const [, all] = schemaTree({ $ref: '#/node' }, resolve).fields();
    assert.equal(all?.type, 'list of object');
    assert.deepEqual(
      all?.fields().map(({ name }) => name),
      ['next', 'all'],
    );
  });

  it('a list that contains itself has a type, and no fields', () => {
    const field = schemaTree({ $ref: '#/list' }, resolve);
    assert.match(field.type, /^(?:list of ){5}array$/);
    assert.deepEqual(field.fields(), []);
  });

  it('a description beside a reference is that of the field', () => {
    const schema = { allOf: [{ $ref: '#/node' }], description: 'Its own.', default: {} };
    const field = schemaTree(schema, resolve);
    assert.deepEqual([field.type, field.description, field.limits], ['object', 'Its own.', ['default: {}']]);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resolveRef, type Schema, type SchemaRef, type StructSchema } from '@orch/schema';
import { builtinTypes } from './registry.ts';

/** The struct of a field, of the items of a list, or of the values of a map. */
function structBehind(ref: SchemaRef): StructSchema | undefined {
  const schema = resolveRef(ref);
  if (schema.kind === 'list') return structBehind(schema.items);
  if (schema.kind === 'map') return structBehind(schema.values);
  return schema.kind === 'struct' ? schema : undefined;
}

/** Every struct reachable from a schema, including itself. */
function structsOf(schema: StructSchema, found = new Set<Schema>()): ReadonlySet<StructSchema> {
  if (!found.has(schema)) {
    found.add(schema);
    for (const field of schema.fields) {
      const below = structBehind(field.schema);
      if (below !== undefined) structsOf(below, found);
    }
  }
  return found as ReadonlySet<StructSchema>;
}

describe('descriptions of fields', () => {
  it('descriptions of fields do not repeat the description of their type, since clients print both', () => {
    const repeated = new Set<string>();
    for (const { schema } of builtinTypes.flatMap(({ versions }) => versions)) {
      for (const struct of structsOf(schema)) {
        for (const { name, doc, schema: ref } of struct.fields) {
          const below = structBehind(ref);
          if (below !== undefined && below.doc === doc && doc !== '')
            repeated.add(`${struct.name}.${name}: ${doc}`);
        }
      }
    }
    assert.deepEqual([...repeated], []);
  });

  it('descriptions of metadata begin with the words that tests of clients look for', () => {
    const others = new Set<string>();
    const check = (name: string, doc: string | undefined, start: string): void => {
      if (doc?.startsWith(start) !== true) others.add(`${name}: ${doc}`);
    };
    for (const { schema } of builtinTypes.flatMap(({ versions }) => versions)) {
      const field = schema.fields.find(({ name }) => name === 'metadata');
      if (field === undefined) continue;
      check(schema.name, field.doc, "Standard object's metadata");
      const created = structBehind(field.schema)?.fields.find(({ name }) => name === 'creationTimestamp');
      if (created !== undefined) check('creationTimestamp', created.doc, 'CreationTimestamp is a timestamp');
    }
    assert.deepEqual([...others], []);
  });
});

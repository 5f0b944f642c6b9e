import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findKind } from '@orch/apis';
import { type ApiObject, namesFor } from '@orch/machinery';
import { encodeJson, isJsonObject, parseJson } from '@orch/machinery/json';
import { codecCompiler, protobufCompiler, RawJson } from '@orch/schema';
import { arbitraryInput } from '@orch/schema/testing';
import fc from 'fast-check';
import { withOpaqueManagedFields } from './opaque-managed-fields.ts';

const names = namesFor('orch');
const schema = (findKind('apps', 'v1', 'ControllerRevision') ?? assert.fail()).schema;
const codec = codecCompiler(names).compile(schema);
const message = protobufCompiler(names).compile(schema);

const head = { kind: 'ControllerRevision', apiVersion: 'apps/v1' };
const managed = (...sets: readonly unknown[]): object[] =>
  sets.map((fieldsV1, i) => ({
    manager: `m${i}`,
    operation: 'Update',
    ...(fieldsV1 === undefined ? {} : { fieldsType: 'FieldsV1', fieldsV1 }),
  }));

/** The object that a client decodes from the message of some JSON. */
const decoded = (object: Readonly<Record<string, unknown>>): unknown =>
  codec.decode({ ...head, ...message.decode(message.encode(object)) }).value;

function check(object: object): ApiObject {
  const json = encodeJson(object);
  const read = withOpaqueManagedFields(json);
  assert.deepEqual(decoded(read), decoded(parseJson(json) as ApiObject));
  return read;
}

const setsOf = (object: ApiObject): readonly unknown[] =>
  (object.metadata.managedFields ?? []).map((entry) => isJsonObject(entry) && entry['fieldsV1']);

describe('opaque managed fields', () => {
  const set = { 'f:metadata': { 'f:labels': { '.': {}, 'k:{"name":"}<\\"}': {} } } };
  const rows: readonly (readonly [title: string, object: object, unread: number])[] = [
    ['without managed fields', { ...head, metadata: { name: 'a' }, revision: 1 }, 0],
    ['with one set', { ...head, metadata: { name: 'a', managedFields: managed(set) }, revision: 1 }, 1],
    ['with several, some of them empty', { ...head, metadata: { managedFields: managed(set, {}, set) } }, 3],
    ['with an entry that has none', { ...head, metadata: { managedFields: managed(undefined, set) } }, 1],
    [
      'with texts that look like sets',
      {
        ...head,
        metadata: {
          name: 'a',
          labels: { managedFields: '"managedFields":[' },
          annotations: { fieldsV1: '"fieldsV1":{', a: '{"managedFields":[{"fieldsV1":{"f:a":{}}}]}' },
          managedFields: managed({ 'f:a': { fieldsV1: { a: 1 }, managedFields: [{ fieldsV1: {} }] } }, set),
        },
        revision: 1,
      },
      2,
    ],
    [
      'that hold others with managed fields',
      {
        ...head,
        metadata: { name: 'a' },
        data: { ...head, metadata: { managedFields: managed(set) } },
        revision: 1,
      },
      0,
    ],
    [
      'that hold others beside their own',
      {
        ...head,
        metadata: { name: 'a', managedFields: managed(set) },
        data: { ...head, metadata: { managedFields: managed(set, set) } },
        revision: 1,
      },
      1,
    ],
  ];
  for (const [title, object, unread] of rows) {
    it(`an object with opaque managed fields encodes like the parsed object: ${title}`, () => {
      const sets = setsOf(check(object));
      assert.equal(sets.filter((one) => one instanceof RawJson).length, unread);
    });
  }

  it('an object is parsed completely when a field set is in an unexpected place', () => {
    const odd = { ...head, metadata: { managedFields: [{ fieldsV1: 1 }, ...managed(set)] } };
    const sets = setsOf(withOpaqueManagedFields(encodeJson(odd)));
    assert.deepEqual(sets, [1, set]);
  });

  it('random objects with opaque managed fields encode like the parsed objects', () => {
    fc.assert(
      fc.property(arbitraryInput(schema, 4), fc.array(fc.object({ maxDepth: 3 })), (input, sets) => {
        const { value } = codec.decode({ ...(input as object), ...head });
        const metadata = { ...value.metadata, managedFields: managed(...sets) };
        const object = codec.decode({ ...value, metadata }).value;
        assert.equal(setsOf(check(object)).length, sets.length);
      }),
    );
  });
});

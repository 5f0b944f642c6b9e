import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { readStructural } from '../../structural/read-structural.ts';
import { structuralKind } from '../../structural/structural-kind.ts';
import { ObjectMeta } from '../../testing/widget.ts';
import { widgetApi } from '../../testing/widget-api.ts';
import type { DocumentEncoder } from '../formats/document-encoder.ts';
import { protobufV2 } from '../formats/gnostic-v2.ts';
import { protobufV3 } from '../formats/gnostic-v3.ts';
import { jsonV2 } from '../formats/v2.ts';
import { jsonV3 } from '../formats/v3.ts';
import type { JsonSchema } from '../json-schema/json-schema.ts';
import { DefinitionSet } from './definitions.ts';

const input = widgetApi('kubernetes');
const { names } = input;

/** The result of work, and its number of pieces. */
function counted<T>(work: Work<T>): { readonly result: T; readonly pieces: number } {
  for (let pieces = 1; ; pieces++) {
    const { done, value } = work.next();
    if (done === true) return { result: value, pieces };
  }
}

const fields = (count: number, schemaOf: (i: number) => JsonObject): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, schemaOf(i)])),
});

const field = (i: number): JsonObject => ({ type: 'string', description: `Field ${i}.`, maxLength: i + 1 });

function nested(depth: number, levelOf: (below: JsonObject) => JsonObject): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let level = 0; level < depth; level++) schema = levelOf(schema);
  return schema;
}

/** Shapes of schemas with a number of schemas within. */
const shapes: Readonly<Record<string, (size: number) => JsonObject>> = {
  'fields of one object': (size) => fields(size, field),
  'objects with fields': (size) => fields(size / 50, () => fields(50, field)),
  'lists of maps': (size) =>
    fields(size / 3, () => ({
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    })),
  alternatives: (size) => ({
    type: 'object',
    anyOf: Array.from({ length: size }, (_, i) => ({ required: [`f${i}`], not: { maxProperties: i } })),
  }),
  // As deep as the reader of definitions allows, with large schemas on every level.
  'levels of objects': (size) =>
    nested(20, (below) => ({ ...fields(size / 20, field), additionalProperties: false, items: below })),
};

const encoders: Readonly<Record<string, DocumentEncoder>> = {
  'JSON of version 2': jsonV2(input, names),
  'JSON of version 3': jsonV3(input, names),
  'Protobuf of version 2': protobufV2(input, names),
  'Protobuf of version 3': protobufV3(input, names),
};

/** The definition of a kind, and the pieces in which it was made and in which it was encoded. */
function published(schema: JsonObject, encoder: DocumentEncoder) {
  const kind = { group: 'a.example.com', version: 'v1', kind: 'Thing' };
  let emitted: JsonSchema | undefined;
  const set = new DefinitionSet({
    names,
    dialect: encoder.dialect,
    kindsOf: () => [kind],
    emit: () => undefined,
    *emitInPieces(_, definition) {
      emitted = definition;
      yield;
    },
  });
  const thing = structuralKind({
    name: 'a.example.com.v1.Thing',
    doc: '',
    metadata: ObjectMeta,
    structural: () => readStructural(schema, names),
    custom: {
      ...kind,
      listKind: 'ThingList',
      *document() {
        yield;
        return schema;
      },
    },
  });
  const { pieces: made, result: name } = counted(set.addInPieces(thing));
  assert.ok(emitted !== undefined);
  const { pieces: encoded, result: bytes } = counted(encoder.definitionInPieces(name, emitted));
  return { made, encoded, bytes: Buffer.from(bytes), atOnce: Buffer.from(encoder.definition(name, emitted)) };
}

describe('the published definition of a large schema', () => {
  for (const [how, encoder] of Object.entries(encoders))
    for (const [what, shapeOf] of Object.entries(shapes)) {
      if (what === 'alternatives' && encoder.dialect === 'v2') continue;
      it(`the published definition of a large schema has as many more pieces as it has more ${what}, so that none becomes longer, in ${how}`, () => {
        const small = published(shapeOf(3000), encoder);
        const large = published(shapeOf(12_000), encoder);
        for (const step of ['made', 'encoded'] as const) {
          const ratio = large[step] / small[step];
          assert.ok(ratio > 2.5 && ratio < 5, `${step}: ${small[step]} pieces become ${large[step]}`);
        }
        assert.ok(small.bytes.equals(small.atOnce));
        assert.ok(large.bytes.equals(large.atOnce));
      });
    }

  it('the published definition of a large schema is the same in pieces for values that JSON leaves out or writes in other ways', () => {
    const entry = {
      a: undefined,
      b: [undefined, null, 1.5, 'ü"'],
      c: {},
      d: [],
      list: [undefined, ...Array(2000).fill('x')],
    };
    const encoder = jsonV3(input, names);
    const definition = entry as JsonSchema;
    const { result } = counted(encoder.definitionInPieces('a', definition));
    assert.equal(String(result), String(encoder.definition('a', definition)));
  });
});

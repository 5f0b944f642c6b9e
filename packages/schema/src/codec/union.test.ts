import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import fc from 'fast-check';
import { f, items, struct, union } from '../declare.ts';
import { DefinitionSet } from '../openapi/definitions/definitions.ts';
import type { JsonSchema } from '../openapi/json-schema/json-schema.ts';
import { protobufCodec } from '../protobuf/codec.ts';
import { ProtobufError } from '../protobuf/protobuf-error.ts';
import type { StructSchema } from '../schema.ts';
import { arbitraryInput } from '../testing/arbitrary.ts';
import { compileCodec } from './compiler.ts';

const names = namesFor('orch');

/** Refers to itself by way of its unions. */
const Shape: StructSchema = struct('test.v1.Shape', 'What values look like.', {
  type: f.string(1, { enum: ['object', 'string'] }),
  items: f.struct(
    2,
    union('test.v1.ShapeOrArray', 'A shape, or several.', {
      object: { num: 1, protoName: 'shape', schema: () => Shape },
      list: { num: 2, protoName: 'shapes', schema: () => Shape },
    }),
    { presence: 'pointer' },
  ),
  others: f.struct(
    3,
    union('test.v1.ShapeOrBool', 'A shape, or whether anything goes.', {
      bool: { num: 1, protoName: 'allows' },
      object: { num: 2, protoName: 'shape', schema: () => Shape },
    }),
    { presence: 'pointer' },
  ),
  needs: f.map(
    4,
    union('test.v1.ShapeOrNames', 'A shape, or names.', {
      object: { num: 1, protoName: 'shape', schema: () => Shape },
      list: { num: 2, protoName: 'names', schema: items.string },
    }),
  ),
});

const codec = compileCodec(Shape, names);
const messages = protobufCodec(Shape, names);

describe('unions in JSON', () => {
  for (const [title, input, expected] of [
    ['an object', { items: { type: 'string' } }, { items: { type: 'string' } }],
    ['a list', { items: [{ type: 'string' }] }, { items: [{ type: 'string' }] }],
    ['a boolean', { others: false }, { others: false }],
    ['an object where a boolean could be', { others: {} }, { others: {} }],
    ['an empty list is dropped', { items: [] }, {}],
    ['null is dropped', { items: null, others: null }, {}],
    ['names', { needs: { a: ['b'] } }, { needs: { a: ['b'] } }],
    ['an empty list in a map is null', { needs: { a: [] } }, { needs: { a: null } }],
    ['unknown fields are dropped', { others: { x: 1, type: 'string' } }, { others: { type: 'string' } }],
  ] as const) {
    it(`a union is read from JSON: ${title}`, () => {
      const { value, problems } = codec.decode(input);
      assert.deepEqual([value, problems], [expected, []]);
    });
  }

  for (const [input, message] of [
    [{ items: true }, 'items: expected an object or a list, got the boolean true'],
    [{ others: [] }, 'others: expected an object or a boolean, got a list'],
    [{ others: 'x' }, 'others: expected an object or a boolean, got the string "x"'],
    [{ items: { items: [{ type: 5 }] } }, 'items.items[0].type: expected a string, got the number 5'],
    [{ needs: { a: [5] } }, 'needs[a][0]: expected a string, got the number 5'],
  ] as const) {
    it(`a value of a wrong type is reported for a union: ${message}`, () => {
      assert.deepEqual(
        codec.decode(input).problems.map((problem) => problem.message),
        [message],
      );
    });
  }

  it('unions are validated by the variant of their value, at any depth', () => {
    const { value } = codec.decode({
      items: [{ type: 'x' }, { others: { type: 'y' } }],
      needs: { a: { type: 'z' } },
    });
    assert.deepEqual(
      codec.validate(value).map(({ field }) => field),
      ['items[0].type', 'items[1].others.type', 'needs[a].type'],
    );
  });

  it('unions that are nested too deep are rejected before the stack is exhausted', () => {
    let deep: unknown = {};
    for (let i = 0; i < 5000; i++) deep = { items: [deep] };
    assert.match(codec.decode(deep).problems[0]?.message ?? '', /nested more than/);
  });
});

describe('unions in Protobuf', () => {
  for (const [title, value, bytes] of [
    ['true', { others: true }, '0a00' + '1a020801'],
    ['false', { others: false }, '0a00' + '1a020800'],
    [
      'an object sets the boolean field as well',
      { others: { type: 'a' } },
      '0a00' + '1a0708011203' + '0a0161',
    ],
    ['one object where a list is allowed', { items: { type: 'a' } }, '0a00' + '12050a03' + '0a0161'],
    ['a list of objects', { items: [{ type: 'a' }, {}] }, '0a00' + '12091203' + '0a0161' + '12020a00'],
    ['names', { needs: { k: ['a', 'b'] } }, '0a00' + '220b0a016b1206' + '120161' + '120162'],
    ['nothing in a map', { needs: { k: null } }, '0a00' + '22050a016b1200'],
  ] as const) {
    it(`a union is written and read in Protobuf: ${title}`, () => {
      assert.equal(messages.encode(value).toString('hex'), bytes);
      const read = codec.decode(messages.decode(Buffer.from(bytes, 'hex')));
      assert.deepEqual([read.value, read.problems], [value, []]);
    });
  }

  it('unions with a wrong wire type are rejected with their path', () => {
    assert.throws(
      () => messages.decode(Buffer.from('1a020a00', 'hex')),
      (error) => error instanceof ProtobufError && error.message.startsWith('others: wire type 2'),
    );
  });

  it('generated values of unions survive a round trip through Protobuf', () => {
    fc.assert(
      fc.property(arbitraryInput(Shape, 6), (input) => {
        const { value } = codec.decode(input);
        const again = codec.decode(messages.decode(messages.encode(value)));
        assert.deepEqual([again.value, again.problems], [value, []]);
      }),
    );
  });
});

describe('unions and named scalars in OpenAPI', () => {
  const Kind = struct(
    'test.v1.Shaped',
    'Has a shape.',
    {
      shape: f.struct(1, Shape, { doc: 'Its shape.' }),
      anything: f.struct(2, { kind: 'scalar', type: 'json', name: 'test.v1.Anything', doc: 'Any value.' }),
      hash: f.bytes(3, { atomic: true }),
    },
    { typeMeta: true },
  );
  const definitions = new Map<string, JsonSchema>();
  new DefinitionSet({
    names,
    dialect: 'v2',
    kindsOf: () => [],
    emit: (name, definition) => definitions.set(name, definition),
    *emitInPieces(name, definition) {
      definitions.set(name, definition);
      yield;
    },
  }).add(Kind);
  const definition = (name: string): JsonSchema | undefined => definitions.get(`io.orch.api.test.v1.${name}`);

  it('unions and named scalars are published as definitions with their descriptions', () => {
    assert.deepEqual(definition('ShapeOrBool'), {
      description: 'A shape, or whether anything goes.',
    });
    assert.deepEqual(definition('Anything'), { description: 'Any value.' });
    assert.deepEqual(definition('Shape')?.properties?.['needs'], {
      type: 'object',
      additionalProperties: { $ref: '#/definitions/io.orch.api.test.v1.ShapeOrNames' },
    });
  });

  it('fields of bytes are published as atomic lists when declared so', () => {
    assert.deepEqual(definition('Shaped')?.properties?.['hash'], {
      type: 'string',
      format: 'byte',
      'x-orch-list-type': 'atomic',
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { type JsonObject, numberFromText, parseJson } from '@orch/machinery/json';
import { type Codec, codecCompiler } from '../index.ts';
import { testKind } from '../testing/test-kind.ts';

const names = namesFor('orch');

const codecOf = (schema: JsonObject): Codec => codecCompiler(names).compile(testKind(schema, names));

const parsed = (text: string): unknown => parseJson(Buffer.from(text));

const wrap = (spec: JsonObject): JsonObject => ({ type: 'object', properties: { spec } });

const typeMeta = { kind: 'Thing', apiVersion: 'example.com/v1' };

function decoded(schema: JsonObject, object: JsonObject): JsonObject {
  const { problems, value } = codecOf(schema).decode({ ...typeMeta, ...object }, { defaults: true });
  assert.deepEqual(problems, []);
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = value;
  return rest;
}

/** The spec as the codec stores it. */
const stored = (spec: JsonObject, value: unknown): unknown => decoded(wrap(spec), { spec: value })['spec'];

function violations(spec: JsonObject, value: unknown, old?: unknown): readonly string[] {
  const codec = codecOf(wrap(spec));
  const object = (of: unknown): ApiObject => ({ ...typeMeta, metadata: {}, spec: of }) as ApiObject;
  return codec
    .validate(object(value), old === undefined ? undefined : object(old))
    .map(({ field, message }) => `${field}: ${message}`);
}

const text = { type: 'string' };
/** Names of fields in bytewise order. */
const many = Array.from({ length: 150 }, (_, i) => `f${String(i).padStart(3, '0')}`);
const preserving = { 'x-orch-preserve-unknown-fields': true };

describe('objects that are read by a structural schema', () => {
  const rows: readonly (readonly [title: string, schema: JsonObject, value: unknown, expected: unknown])[] = [
    [
      'unknown fields are dropped by default',
      { type: 'object', properties: { a: text } },
      { a: 'x', b: 1 },
      { a: 'x' },
    ],
    [
      'unknown fields are kept where the schema preserves them',
      { type: 'object', properties: { a: { type: 'object' } }, ...preserving },
      { a: { c: 1 }, b: { c: 1 } },
      { a: {}, b: { c: 1 } },
    ],
    [
      'preservation of unknown fields applies within lists, not within described fields',
      { type: 'array', items: { type: 'object', properties: { a: { type: 'object' } } }, ...preserving },
      [{ a: { b: 1 }, c: { d: 1 } }],
      [{ a: {}, c: { d: 1 } }],
    ],
    ['a value of the wrong type is kept for validation', text, 3, 3],
    [
      'entries of maps follow the schema of their values',
      { type: 'object', additionalProperties: text },
      { z: 'a', b: 'c' },
      { b: 'c', z: 'a' },
    ],
    [
      'absent fields receive their defaults, including nested defaults',
      {
        type: 'object',
        properties: {
          a: { type: 'object', default: {}, properties: { b: { type: 'integer', default: 3 } } },
        },
      },
      {},
      { a: { b: 3 } },
    ],
    [
      'null becomes the default where it is not allowed',
      { type: 'object', properties: { a: { ...text, default: 'x' } } },
      { a: null },
      { a: 'x' },
    ],
    [
      'null stays where it is allowed',
      { type: 'object', properties: { a: { ...text, default: 'x', nullable: true } } },
      { a: null },
      { a: null },
    ],
    ['null is absent where it is not allowed', { type: 'object', properties: { a: text } }, { a: null }, {}],
    [
      'null in a list becomes the default of the items',
      { type: 'array', items: { ...text, default: 'x' } },
      [null],
      ['x'],
    ],
    [
      'fields come out in bytewise order, whatever their order was, and defaults at their places',
      {
        type: 'object',
        properties: { a: text, b: { ...text, default: 'x' }, c: text, d: { ...text, default: 'y' }, é: text },
      },
      { é: '1', c: '2', a: '3' },
      { a: '3', b: 'x', c: '2', d: 'y', é: '1' },
    ],
    [
      'fields in bytewise order get the defaults before, between and after them',
      {
        type: 'object',
        properties: Object.fromEntries(
          ['a', 'b', 'c', 'd', 'e'].map((name) => [name, { ...text, default: name }]),
        ),
      },
      { b: '1', d: '2' },
      { a: 'a', b: '1', c: 'c', d: '2', e: 'e' },
    ],
    [
      'a null among fields in any order becomes the default, stays or is absent',
      {
        type: 'object',
        properties: {
          a: { ...text, default: 'x' },
          b: { ...text, default: 'x', nullable: true },
          c: text,
          d: { ...text, default: 'y', nullable: true },
        },
      },
      { c: null, b: null, a: null },
      { a: 'x', b: null, d: 'y' },
    ],
    [
      'fields of more properties than are sorted by position come out in order as well',
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 300 }, (_, i) => [
            `f${i}`,
            { ...text, ...(i === 150 ? { default: 'x' } : {}) },
          ]),
        ),
      },
      { f299: 'a', f1: 'b', f2: null },
      { f1: 'b', f150: 'x', f299: 'a' },
    ],
    [
      'many fields in order come out as they are, and a default after them',
      {
        type: 'object',
        properties: { ...Object.fromEntries(many.map((name) => [name, text])), z: { ...text, default: 'x' } },
      },
      Object.fromEntries(many.map((name) => [name, 'a'])),
      { ...Object.fromEntries(many.map((name) => [name, 'a'])), z: 'x' },
    ],
    ['null in a list stays without a default', { type: 'array', items: text }, [null], [null]],
    [
      'names of inherited properties are treated as any other names',
      { type: 'object', properties: { constructor: text, toString: { ...text, default: 'x' }, '': text } },
      { constructor: 'a', '': 'b' },
      { '': 'b', constructor: 'a', toString: 'x' },
    ],
    [
      'metadata of embedded objects is decoded as API metadata',
      { type: 'object', 'x-orch-embedded-resource': true, ...preserving },
      { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a', unheardOf: 1 }, more: 1 },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, more: 1 },
    ],
  ];
  for (const [title, schema, value, expected] of rows) {
    it(title, () => {
      const result = stored(schema, value);
      assert.deepEqual(result, expected);
      assert.equal(JSON.stringify(result), JSON.stringify(expected));
    });
  }

  it('what is read shares nothing with what was sent', () => {
    const list = { type: 'array', items: { type: 'object', properties: { a: text } } };
    const schema = { type: 'object', properties: { a: { type: 'object', properties: { b: text } }, list } };
    const sent = { a: { b: 'x' }, list: [{ a: 'y' }] };
    const read = stored(schema, sent) as typeof sent;
    assert.deepEqual(read, sent);
    assert.notEqual(read, sent);
    assert.notEqual(read.a, sent.a);
    assert.notEqual(read.list, sent.list);
    assert.notEqual(read.list[0], sent.list[0]);
  });

  it('defaults are separate values in each object', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'object', default: { b: 1 }, ...preserving } },
    };
    const codec = codecOf(wrap(schema));
    const read = (): Record<string, Record<string, object>> =>
      codec.decode({ ...typeMeta, spec: {} }, { defaults: true }).value as never;
    const [one, other] = [read(), read()];
    assert.deepEqual(one['spec']?.['a'], { b: 1 });
    assert.notEqual(one['spec']?.['a'], other['spec']?.['a']);
  });

  it('integers of 64 bits keep their value', () => {
    const exact = numberFromText('9223372036854775807');
    assert.deepEqual(stored({ type: 'integer' }, exact), exact);
    assert.deepEqual(violations({ type: 'integer', minimum: 1 }, exact), []);
    assert.deepEqual(violations({ type: 'integer' }, numberFromText('9223372036854775808')), [
      'spec: Invalid value: "number": spec in body must be of type integer: "number"',
    ]);
  });

  it('__proto__ is treated as any other field', () => {
    const schema = parsed('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonObject;
    const value = parsed('{"__proto__":"x","b":1}');
    assert.equal(JSON.stringify(stored(schema, value)), '{"__proto__":"x"}');
    assert.equal(violations(schema, parsed('{"__proto__":1}')).length, 1);
  });

  it('unknown fields are reported with their paths when requested', () => {
    const codec = codecOf(wrap({ type: 'array', items: { type: 'object' } }));
    const { problems } = codec.decode({ ...typeMeta, spec: [{ a: 1 }], b: 1 }, { reportUnknown: true });
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['b', 'spec[0].a'],
    );
  });

  it('applying defaults later gives the same object', () => {
    const schema = wrap({ type: 'object', properties: { a: { ...text, default: 'x' }, b: text } });
    const codec = codecOf(schema);
    const input = { ...typeMeta, metadata: {}, spec: { a: null, b: 'y' } };
    const { value } = codec.decode(input);
    codec.applyDefaults(value);
    assert.deepEqual(value, codec.decode(input, { defaults: true }).value);
  });

  it('values that are nested too deep are rejected', () => {
    let deep: unknown = {};
    for (let i = 0; i < 5000; i++) deep = { a: deep };
    const { problems } = codecOf(wrap({ type: 'object', ...preserving })).decode({ ...typeMeta, spec: deep });
    assert.match(problems[0]?.message ?? '', /nested more than 1000 levels deep$/);
  });
});

describe('violations of a structural schema', () => {
  const rows: readonly (readonly [schema: JsonObject, value: unknown, ...expected: readonly string[]])[] = [
    [text, 3, 'spec: Invalid value: "integer": spec in body must be of type string: "integer"'],
    [{ ...text, maxLength: 1 }, '\u{1f600}'],
    [{ ...text, maxLength: 1 }, 'ab', 'spec: Too long: may not be longer than 1'],
    [
      { ...text, minLength: 2 },
      '\u{1f600}',
      'spec: Invalid value: "\u{1f600}": spec in body should be at least 2 chars long',
    ],
    [{ ...text, pattern: '^a+$' }, 'b', 'spec: Invalid value: "b": spec in body should match \'^a+$\''],
    [{ ...text, enum: ['a', 'b'] }, 'c', 'spec: Unsupported value: "c": supported values: "a", "b"'],
    [{ ...text, format: 'date' }, 'x', 'spec: Invalid value: "x": spec in body must be of type date: "x"'],
    [{ ...text, format: 'unheard-of' }, 'x'],
    [
      { type: 'integer', format: 'int32' },
      true,
      'spec: Invalid value: "": spec in body must be of type int32: ""',
    ],
    [
      { type: 'integer', format: 'int32' },
      'x',
      'spec: Invalid value: "string": spec in body must be of type integer: "string"',
    ],
    [
      { type: 'number', format: 'ipv4' },
      true,
      'spec: Invalid value: "boolean": spec in body must be of type number: "boolean"',
    ],
    [
      { type: 'integer', maximum: 3 },
      4,
      'spec: Invalid value: 4: spec in body should be less than or equal to 3',
    ],
    [
      { type: 'integer', minimum: 3, exclusiveMinimum: true },
      3,
      'spec: Invalid value: 3: spec in body should be greater than 3',
    ],
    [{ type: 'number', multipleOf: 0.1 }, 0.3],
    [{ type: 'integer', multipleOf: 2 }, 3, 'spec: Invalid value: 3: spec in body should be a multiple of 2'],
    [
      { type: 'integer' },
      1.5,
      'spec: Invalid value: "number": spec in body must be of type integer: "number"',
    ],
    [{ type: 'number' }, 1],
    [
      { type: 'array', items: text, minItems: 1 },
      [],
      'spec: Invalid value: 0: spec in body should have at least 1 items',
    ],
    [{ type: 'array', items: text, maxItems: 1 }, ['a', 'b'], 'spec: Too many: 2: must have at most 1 items'],
    [
      { type: 'array', items: text, 'x-orch-list-type': 'set' },
      ['a', 'b', 'a', 'a'],
      'spec[2]: Duplicate value: "a"',
    ],
    [
      {
        type: 'array',
        items: { type: 'object', properties: { k: text } },
        'x-orch-list-type': 'map',
        'x-orch-list-map-keys': ['k'],
      },
      [{ k: 'a' }, { k: 'a' }],
      'spec[1]: Duplicate value: {"k":"a"}',
    ],
    [{ type: 'object', required: ['a'] }, {}, 'spec.a: Required value'],
    [
      { type: 'object', additionalProperties: text },
      { b: 1 },
      'spec.b: Invalid value: "integer": spec.b in body must be of type string: "integer"',
    ],
    [
      { type: 'object', maxProperties: 1, ...preserving },
      { a: 1, b: 1 },
      'spec: Too many: 2: must have at most 1 items',
    ],
    [
      { 'x-orch-int-or-string': true },
      true,
      'spec: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"',
    ],
    [{ ...text, nullable: true }, null],
    [text, null, 'spec: Invalid value: "null": spec in body must be of type string: "null"'],
    [
      { ...text, anyOf: [{ maxLength: 1 }, { enum: ['ab'] }] },
      'abc',
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'spec: Too long: may not be longer than 1',
    ],
    [
      { ...text, oneOf: [{ maxLength: 3 }, { minLength: 1 }] },
      'ab',
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    [
      { ...text, allOf: [{ maxLength: 1 }, { minLength: 1 }] },
      'ab',
      'spec: Too long: may not be longer than 1',
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf)',
    ],
    [
      { ...text, not: { enum: ['a'] } },
      'a',
      '<nil>: Invalid value: "": "spec" must not validate the schema (not)',
    ],
    [
      { type: 'object', 'x-orch-embedded-resource': true, ...preserving },
      { kind: 'a b', metadata: { name: 'a/b' } },
      'spec.apiVersion: Required value',
      "spec.kind: Invalid value: \"a b\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name', or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      'spec.metadata.name: Invalid value: "a/b": may not contain \'/\'',
    ],
  ];
  for (const [schema, value, ...expected] of rows) {
    it(`${JSON.stringify(value)} by ${JSON.stringify(schema)}: ${expected.length} violations`, () => {
      assert.deepEqual(violations(schema, value), expected);
    });
  }

  it('patterns with catastrophic backtracking take time in proportion to the text', () => {
    const schema = { ...text, pattern: '^(a|aa)+$' };
    assert.equal(violations(schema, `${'a'.repeat(50_000)}!`).length, 1);
  });

  it('an object whose validation exceeds the budget is rejected as a whole', () => {
    const schema = { type: 'array', items: { ...text, pattern: '^(x{1,200}y?){1,5}$' } };
    const found = violations(
      schema,
      Array.from({ length: 200 }, () => 'x'.repeat(3000)),
    );
    assert.deepEqual(found, [': Forbidden: the object takes too much work to check against its schema']);
  });
});

describe('updates of objects with violations from before', () => {
  const short = { ...text, maxLength: 1 };
  const keyed = {
    type: 'array',
    items: { type: 'object', properties: { k: text, v: short } },
    'x-orch-list-type': 'map',
    'x-orch-list-map-keys': ['k'],
  };
  const rows: readonly (readonly [
    title: string,
    schema: JsonObject,
    old: unknown,
    value: unknown,
    count: number,
  ])[] = [
    [
      'an unchanged invalid part is accepted',
      { type: 'object', properties: { a: short, b: text } },
      { a: 'xx' },
      { a: 'xx', b: 'y' },
      0,
    ],
    [
      'a changed part is validated',
      { type: 'object', properties: { a: short, b: text } },
      { a: 'xx' },
      { a: 'yy' },
      1,
    ],
    [
      'items of maps are compared by their keys',
      keyed,
      [{ k: '1', v: 'xx' }],
      [{ k: '2' }, { k: '1', v: 'xx' }],
      0,
    ],
    ['an item with a new key is validated', keyed, [{ k: '1', v: 'xx' }], [{ k: '2', v: 'xx' }], 1],
    [
      'items of atomic lists are validated when the list changes',
      { type: 'array', items: short },
      ['xx'],
      ['xx', 'y'],
      1,
    ],
    ['an unchanged invalid list is accepted', { type: 'array', items: short }, ['xx'], ['xx'], 0],
    [
      'a rule on an object is validated when one of its fields changes',
      { type: 'object', properties: { a: text, b: text }, required: ['b'] },
      { a: 'x' },
      { a: 'y' },
      1,
    ],
    [
      'an unchanged invalid part is accepted beside a changed valid one, at any depth',
      {
        type: 'object',
        properties: {
          a: { type: 'object', properties: { b: { type: 'object', properties: { c: short } }, d: text } },
        },
      },
      { a: { b: { c: 'xx' }, d: 'x' } },
      { a: { b: { c: 'xx' }, d: 'y' } },
      0,
    ],
    [
      'an unchanged null that is not allowed is accepted',
      { type: 'object', properties: { a: { type: 'array', items: text }, b: text } },
      { a: [null] },
      { a: [null], b: 'y' },
      0,
    ],
    [
      'a new null that is not allowed is refused',
      { type: 'object', properties: { a: { type: 'array', items: text } } },
      { a: ['x'] },
      { a: [null] },
      1,
    ],
    [
      'an unchanged value that is not an integer or string is accepted, and a changed one is refused',
      {
        type: 'object',
        properties: { a: { 'x-orch-int-or-string': true }, b: { 'x-orch-int-or-string': true } },
      },
      { a: 1.5, b: true },
      { a: 1.5, b: false },
      1,
    ],
    [
      'an unchanged part that violates a combination of schemas is accepted',
      { type: 'object', properties: { a: { ...text, oneOf: [{ maxLength: 1 }, { enum: ['x'] }] }, b: text } },
      { a: 'x' },
      { a: 'x', b: 'y' },
      0,
    ],
    [
      'what a default adds to a part is a change of it',
      {
        type: 'object',
        properties: {
          a: {
            type: 'object',
            properties: { b: { ...text, default: 'y' } },
            maxProperties: 1,
            ...preserving,
          },
        },
      },
      { a: { c: 'x', d: 'x' } },
      { a: { b: 'y', c: 'x', d: 'x' } },
      1,
    ],
    [
      'an invalid embedded object is refused even where it is unchanged',
      {
        type: 'object',
        properties: { a: { type: 'object', 'x-orch-embedded-resource': true, ...preserving } },
      },
      { a: { kind: '', apiVersion: 'v1' } },
      { a: { kind: '', apiVersion: 'v1' } },
      1,
    ],
    [
      'the same keys in another order are the same items, and one more of them repeats',
      keyed,
      [{ k: '1' }, { k: '2' }],
      [{ k: '2' }, { k: '1' }, { k: '2' }],
      1,
    ],
    [
      'existing duplicate items of a set are accepted',
      { type: 'array', items: text, 'x-orch-list-type': 'set' },
      ['a', 'a'],
      ['a', 'a', 'b'],
      0,
    ],
  ];
  for (const [title, schema, old, value, count] of rows) {
    it(title, () => assert.equal(violations(schema, value, old).length, count));
  }
});

describe('lists with many duplicate items', () => {
  it('a set with more duplicate items than a call has arguments is refused', () => {
    const set = { type: 'array', items: text, 'x-orch-list-type': 'set' };
    const twice = Array.from({ length: 400_000 }, (_, i) => `${i >> 1}`);
    assert.equal(violations(set, twice).length, 1000);
  });
});

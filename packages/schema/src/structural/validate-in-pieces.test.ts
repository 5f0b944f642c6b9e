import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, type FieldError, namesFor } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { type Codec, codecCompiler } from '../index.ts';
import type { PostponedChecks } from '../schema.ts';
import { RandomStructural } from '../testing/random-structural.ts';
import { testKind } from '../testing/test-kind.ts';

const names = namesFor('orch');
const { embeddedResource, listMapKeys, listType, preserveUnknownFields, validations } =
  names.schemaExtensions;

const COUNT = 5000;
const STEPS_OF_A_PIECE = 64;
/** The pieces of twice as many parts. */
const MAX_GROWTH = 2.2;

const text = { type: 'string', pattern: '^[a-z0-9]+$', maxLength: 20 };
const port = {
  type: 'object',
  required: ['name'],
  properties: { name: text, number: { type: 'integer', maximum: 1_000_000 } },
};

const schemas: Readonly<Record<string, JsonObject>> = {
  'a list of strings': { type: 'array', items: text },
  'a list of objects': { type: 'array', items: port },
  'a map': { type: 'object', additionalProperties: port },
  'a list with keys': { type: 'array', [listType]: 'map', [listMapKeys]: ['name'], items: port },
  'a list with two keys': {
    type: 'array',
    [listType]: 'map',
    [listMapKeys]: ['name', 'number'],
    items: port,
  },
  'a set': { type: 'array', [listType]: 'set', items: text },
  'a list without duplicates': { type: 'array', uniqueItems: true, items: port },
  'a list in a map in a list': {
    type: 'array',
    items: { type: 'object', additionalProperties: { type: 'array', [listType]: 'set', items: text } },
  },
  alternatives: {
    type: 'array',
    items: port,
    anyOf: [{ items: { required: ['number'] } }, { items: { required: ['name'] } }],
  },
  combinations: {
    type: 'array',
    items: port,
    oneOf: [{ minItems: 10_000_000 }, { items: { not: { required: ['other'] } } }],
    allOf: [{ items: { properties: { number: { maximum: 800_000 } } } }, { minItems: 1 }],
    not: { items: { required: ['other'] } },
  },
  'embedded objects': {
    type: 'array',
    items: { type: 'object', [embeddedResource]: true, [preserveUnknownFields]: true },
  },
  'items with expressions': {
    type: 'array',
    [listType]: 'map',
    [listMapKeys]: ['name'],
    items: { ...port, [validations]: [{ rule: '!has(self.number) || self.number < 500000' }] },
  },
};

/** Values by the schema; `wrong`: some parts violate it. `more`: another state of some. */
function specOf(
  what: string,
  { count, more, wrong }: { count: number; more: number; wrong: boolean },
): unknown {
  const list = Array.from({ length: count }, (_, i) => i);
  const nameOf = (i: number): string =>
    wrong && i % 97 === 0 ? 'a b' : wrong && i % 89 === 0 ? 'same' : `n${i}`;
  const numberOf = (i: number): unknown =>
    wrong && i % 83 === 0 ? 'none' : wrong && i % 79 === 0 ? 900_000 : i;
  const ports = list.map((i) => ({ name: nameOf(i), number: i % 50 === 0 ? i + more : numberOf(i) }));
  if (what === 'a list of strings' || what === 'a set') return list.map(nameOf);
  if (what === 'a map') return Object.fromEntries(ports.map((one, i) => [`k${i}`, one]));
  if (what === 'a list in a map in a list') return [{}, { a: [], b: list.map(nameOf), c: ['x', 'y'] }];
  if (what !== 'embedded objects') return ports;
  return list.map((i) => ({
    apiVersion: 'v1',
    ...(wrong && i % 97 === 0 ? {} : { kind: 'A' }),
    metadata: { name: `n${i}` },
    data: i + more,
  }));
}

interface Validated {
  readonly errors: readonly FieldError[];
  readonly pieces: number;
}

function validateInPieces(codec: Codec, value: ApiObject, old?: ApiObject): Validated {
  const postponed: PostponedChecks = [];
  const errors = [...codec.validate(value, old, postponed, true)];
  let pieces = 1;
  for (const work of postponed) {
    const counted = function* () {
      for (;;) {
        const step = work.next();
        if (step.done === true) return step.value;
        pieces += 1;
        yield;
      }
    };
    errors.push(...atOnce(counted()));
  }
  return { errors, pieces };
}

const codecOf = (spec: JsonObject): Codec =>
  codecCompiler(names).compile(testKind({ type: 'object', properties: { spec } }, names));
const objectOf = (spec: unknown): ApiObject =>
  ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec }) as unknown as ApiObject;

describe('custom objects that are validated in pieces', () => {
  for (const [what, schema] of Object.entries(schemas)) {
    const codec = codecOf(schema);
    const made = (wrong: boolean, { count = COUNT, more = 0 } = {}): ApiObject =>
      objectOf(specOf(what, { count, more, wrong }));

    it(`a custom object has the same violations in pieces as at once: ${what}`, () => {
      assert.deepEqual(validateInPieces(codec, made(false)).errors, []);
      const wrong = made(true);
      const { errors } = validateInPieces(codec, wrong);
      assert.ok(errors.length > 0);
      assert.deepEqual(errors, codec.validate(wrong));
      for (const old of [made(false), made(true), made(true, { more: 1 })])
        assert.deepEqual(validateInPieces(codec, wrong, old).errors, codec.validate(wrong, old));
    });

    for (const wrong of [false, true])
      it(`a custom object with twice as many parts is validated in about twice as many pieces: ${what}, ${wrong ? 'invalid' : 'valid'}`, () => {
        const old = { more: 1 };
        const once = validateInPieces(codec, made(wrong), made(false, old)).pieces;
        const count = 2 * COUNT;
        const twice = validateInPieces(codec, made(wrong, { count }), made(false, { ...old, count })).pieces;
        assert.ok(once >= COUNT / STEPS_OF_A_PIECE, `${once} pieces`);
        assert.ok(twice <= MAX_GROWTH * once, `${once} and ${twice} pieces`);
      });
  }

  it('a small custom object is validated in one piece, and at once where nothing may be postponed', () => {
    const codec = codecOf(schemas['a set'] ?? {});
    assert.equal(validateInPieces(codec, objectOf(['a', 'b'])).pieces, 1);
    const postponed: PostponedChecks = [];
    assert.equal(
      codec.validate(objectOf(Array.from({ length: COUNT }, () => 'a')), undefined, postponed).length,
      1,
    );
    assert.deepEqual(postponed, []);
  });

  it('random lists have the same violations in pieces as at once', () => {
    let violations = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const random = new RandomStructural(seededRandom(seed), names);
      const item = random.schema(3);
      const codec = codecOf({ type: 'array', items: item });
      const values = Array.from({ length: 600 }, () => random.value(item));
      const changed = values.map((value) => (isJsonObject(value) ? random.changed(value, item) : value));
      for (const old of [undefined, objectOf(values), objectOf(changed)]) {
        const { errors } = validateInPieces(codec, objectOf(values), old);
        assert.deepEqual(errors, codec.validate(objectOf(values), old), `seed ${seed}`);
        violations += errors.length;
      }
    }
    assert.ok(violations > 500, `${violations} violations`);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { ListRules } from '../list-rules.ts';
import { readStructural } from '../read-structural.ts';
import { UniquenessTest } from './uniqueness-test.ts';

const names = namesFor('orch');
const set = { type: 'array', items: {}, 'x-orch-list-type': 'set' };
const keyed = (...keys: readonly string[]): JsonObject => ({
  type: 'array',
  items: { type: 'object' },
  'x-orch-list-type': 'map',
  'x-orch-list-map-keys': keys,
});
const object = (properties: JsonObject, others: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...others,
});

/** `unique`: found by the quick test. `unsure`: found unique by the full check. `repeated`: with violations. */
type Expected = 'unique' | 'unsure' | 'repeated';

const rows: readonly (readonly [schema: JsonObject, value: unknown, expected: Expected])[] = [
  [set, ['a', 'b'], 'unique'],
  [set, [1, '1', true, 'true'], 'unique'],
  [set, ['a', 'a'], 'repeated'],
  [set, [0, -0], 'repeated'],
  [set, [{ a: 1, b: 1 }, { a: 1 }], 'unsure'],
  [
    set,
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    'repeated',
  ],
  [set, 'no list', 'unique'],
  [keyed('k'), [{ k: 'a' }, { k: 'b' }, {}], 'unique'],
  [keyed('k'), [{ k: 1 }, { k: '1' }], 'unique'],
  [
    keyed('k'),
    [
      { k: 'a', n: 1 },
      { k: 'a', n: 2 },
    ],
    'repeated',
  ],
  [keyed('k'), [{}, {}], 'repeated'],
  [keyed('k'), [{ k: null }, { k: 'a' }], 'unsure'],
  [keyed('k'), [{ k: 'a' }, 'b'], 'repeated'],
  [keyed('k'), [{ k: 'a' }, null], 'unsure'],
  [keyed('constructor'), [{ constructor: 'a' }, {}], 'unique'],
  [
    keyed('a', 'b'),
    [
      { a: 'x', b: 'y' },
      { a: 'x', b: 'z' },
    ],
    'unique',
  ],
  [
    keyed('a', 'b'),
    [
      { a: 1, b: 2 },
      { a: '1', b: 2 },
    ],
    'unsure',
  ],
  [
    keyed('a', 'b'),
    [
      { a: 'x\ny', b: 'z' },
      { a: 'x', b: 'y\nz' },
    ],
    'unsure',
  ],
  [
    keyed('a', 'b'),
    [
      { a: 'x', b: 'y' },
      { b: 'y', a: 'x' },
    ],
    'repeated',
  ],
  [object({ a: object({ b: set }), c: {} }), { a: { b: [1, 1] }, c: [1, 1] }, 'repeated'],
  [object({ a: object({ b: set }), c: {} }), { a: { b: [1, 2] }, c: [1, 1] }, 'unique'],
  [object({ constructor: set }), {}, 'unique'],
  [object({ a: {} }, { additionalProperties: set }), { a: [1, 1], b: [1, 2] }, 'unique'],
  [object({ a: {} }, { additionalProperties: set }), { a: [1, 1], b: [1, 1] }, 'repeated'],
  [{ type: 'array', items: set }, [[1], [1, 1]], 'repeated'],
];

describe('quick test of unique items', () => {
  for (const [schema, value, expected] of rows) {
    it(`items of ${JSON.stringify(value)} by ${JSON.stringify(schema)} are ${expected}`, () => {
      const structural = readStructural(schema, names);
      assert.equal(UniquenessTest.of(structural)?.holds(value), expected === 'unique');
      assert.equal(new ListRules().check(value, structural).length > 0, expected === 'repeated');
    });
  }

  it('a schema without lists of unique items has no test of them', () => {
    assert.equal(UniquenessTest.of(readStructural(object({ a: { type: 'array' } }), names)), undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FieldError, namesFor } from '@orch/machinery';
import { type JsonObject, numberFromText, parseJson } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { type Budget, BudgetError, budgetOf } from '../../pattern/budget.ts';
import type { StructuralSchema } from '../../structural-schema.ts';
import { RandomStructural } from '../../testing/random-structural.ts';
import { noPast } from '../correlation.ts';
import { readStructural } from '../read-structural.ts';
import { RuleWalk } from '../rule-walk.ts';
import { compilePart } from '../value-rules.ts';
import { ValueTest } from './value-test.ts';

const names = namesFor('orch');
const budget: Budget = budgetOf(Number.POSITIVE_INFINITY);
const first = Number(process.env['STRUCTURAL_SEED'] ?? 1);
const schemas = Number(process.env['STRUCTURAL_SCHEMAS'] ?? 1000);

const text = { type: 'string' };
const exact = numberFromText;
const smile = '\u{1f600}';

/** Values that satisfy a schema, and values that do not. */
const rows: readonly (readonly [
  schema: JsonObject,
  valid: readonly unknown[],
  invalid: readonly unknown[],
])[] = [
  [{}, ['a', 1, 1.5, true, null, [], {}, exact('1e400')], []],
  [text, ['', 'a'], [1, true, null, [], {}, exact('1e400')]],
  [{ ...text, nullable: true }, [null], [1]],
  [{ ...text, nullable: true, enum: ['a'] }, ['a'], [null, 'b']],
  [{ ...text, maxLength: 2 }, ['ab', smile + smile], ['abc', smile + smile + smile]],
  [{ ...text, minLength: 1 }, ['a', smile], ['']],
  [{ ...text, minLength: 3 }, ['abc', 'abcdef', smile.repeat(3)], ['ab', smile + smile]],
  [{ ...text, pattern: '^a+$' }, ['aa'], ['b']],
  [{ ...text, pattern: '(' }, [], ['a']],
  [{ ...text, format: 'date' }, ['2024-01-01', []], ['x', 1, {}]],
  [{ ...text, format: 'unheard-of' }, ['x'], [1]],
  [{ format: 'date' }, ['2024-01-01', null, []], ['x', 1, true, {}]],
  [{ type: 'boolean', format: 'date' }, [true], ['2024-01-01', 'x', 1]],
  [{ type: 'integer', format: 'int32' }, [1], ['x', true]],
  [{ type: 'integer' }, [0, -1, 9007199254740992, exact('9223372036854775807')], [1.5, 1 + 1e-12, 1e20, '1']],
  [
    { type: 'integer' },
    [exact('9007199254740993')],
    [exact('9007199254740993.0'), exact('9007199254740993e0')],
  ],
  [{ type: 'integer', format: 'int32' }, [2147483647, -2147483648], [2147483648, -2147483649]],
  [
    { type: 'integer', format: 'int64' },
    [exact('-9223372036854775808')],
    [exact('9223372036854775808'), 1e19],
  ],
  [{ type: 'integer', format: 'uint32' }, [0, 4294967295], [-1, 4294967296]],
  [{ type: 'number', format: 'float' }, [1.5, 3.4e38, -3.4e38], [3.5e38, -1e300]],
  [{ type: 'number', format: 'double' }, [1.5, 1e308], ['1']],
  [{ type: 'number', format: 'int32' }, [1.5, 4294967296], ['1']],
  [{ type: 'integer', minimum: 1.5, maximum: 3.5 }, [1, 2, 3], [0, 4]],
  [{ type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: true }, [2], [1, 3]],
  [{ type: 'integer', minimum: 9007199254740992 }, [exact('9007199254740993')], [9007199254740991]],
  [{ type: 'number' }, [0, 1.5, 1e300, exact('0.1234567890123456789')], ['1', true]],
  [{ type: 'number', minimum: 0.5, maximum: 1.5 }, [0.5, 1, 1.5], [0.25, 1.75, -1]],
  [{ type: 'number', minimum: 0.5, exclusiveMinimum: true }, [0.75], [0.5]],
  [{ type: 'number', multipleOf: 0.1 }, [0.3], [0.25, 0]],
  [{ type: 'integer', multipleOf: 2 }, [4, 0, -2], [3]],
  [{ type: 'integer', multipleOf: 0 }, [], [1]],
  [{ type: 'integer', enum: [1, 2] }, [1, exact('2')], [3]],
  [{ type: 'boolean', enum: [true] }, [true], [false]],
  [{ type: 'object', enum: [{ a: 1 }] }, [{ a: 1 }], [{ a: 2 }, {}]],
  [{ type: 'array', enum: [[1]] }, [[1]], [[2], []]],
  [{ 'x-orch-int-or-string': true }, [1, 'a'], [1.5, true, null]],
  [{ 'x-orch-int-or-string': true, anyOf: [{ type: 'integer' }, text] }, [1, 'a'], [1.5, true]],
  [{ type: 'array', items: text, minItems: 1, maxItems: 2 }, [['a'], ['a', 'b']], [[], ['a', 'b', 'c'], [1]]],
  [{ type: 'array', uniqueItems: true }, [[1, '1']], [[1, 1]]],
  [{ type: 'object', minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 1, c: 1 }]],
  [{ type: 'object', properties: { a: text }, additionalProperties: false }, [{}, { a: 'x' }], [{ b: 'x' }]],
  [{ type: 'object', additionalProperties: text }, [{ constructor: 'x' }], [{ constructor: 1 }]],
  [{ type: 'object', required: ['constructor', 'a', 'a'] }, [{ constructor: 1, a: 1 }], [{ a: 1 }]],
  [{ type: 'object', properties: { a: text, b: { type: 'integer' } } }, [{ b: 1, a: 'x' }], [{ b: 1, a: 1 }]],
  [{ ...text, anyOf: [{ maxLength: 1 }, { enum: ['ab'] }] }, ['a', 'ab'], ['abc']],
  [{ ...text, oneOf: [{ maxLength: 3 }, { minLength: 2 }] }, ['a', 'abcd'], ['abc']],
  [{ ...text, allOf: [{ maxLength: 3 }, { minLength: 2 }] }, ['ab'], ['a', 'abcd']],
  [{ ...text, not: { enum: ['a'] } }, ['b'], ['a']],
  [{ ...text, nullable: true, not: {} }, [null], ['a']],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1 }, { b: 1 }, 'a'], [{}]],
];

/** The violations that the full check of a value reports. */
function violations(value: unknown, schema: StructuralSchema, budget: Budget): readonly FieldError[] {
  const walk = new RuleWalk(budget, 'x');
  compilePart(schema).visit(value, noPast, walk);
  return walk.errors();
}

describe('quick test of a value', () => {
  for (const [schema, valid, invalid] of rows) {
    it(`the quick test accepts exactly the valid values of ${JSON.stringify(schema)}`, () => {
      const structural = readStructural(schema, names);
      const test = new ValueTest(structural);
      for (const [values, expected] of [
        [valid, true],
        [invalid, false],
      ] as const)
        for (const value of values) {
          assert.equal(test.holds(value, budget), expected, JSON.stringify(value));
          const full = violations(value, structural, budget);
          assert.equal(full.length === 0, expected, JSON.stringify(value));
        }
    });
  }

  it('the quick test treats the field __proto__ as any other field', () => {
    const schema = parseJson(
      Buffer.from('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
    );
    const test = new ValueTest(readStructural(schema as JsonObject, names));
    assert.equal(test.holds(parseJson(Buffer.from('{"__proto__":"x"}')), budget), true);
    assert.equal(test.holds(parseJson(Buffer.from('{"__proto__":1}')), budget), false);
    assert.equal(test.holds({}, budget), false);
  });

  it('the quick test and full validation agree on random values of random schemas', () => {
    let valid = 0;
    let invalid = 0;
    for (let seed = first; seed < first + schemas; seed++) {
      const random = new RandomStructural(seededRandom(seed), names);
      const schema = random.schema(3);
      const structural = readStructural(schema, names);
      const test = new ValueTest(structural);
      for (let i = 0; i < 8; i++) {
        const value = random.value(schema);
        const expected = violations(value, structural, budget).length === 0;
        if (expected) valid++;
        else invalid++;
        const title = `seed ${seed}: ${JSON.stringify(schema)} of ${JSON.stringify(value)}`;
        assert.equal(test.holds(value, budget), expected, title);
      }
    }
    assert.ok(valid > schemas && invalid > schemas);
  });

  it('the quick test of nested combinations of schemas ends when its budget is exceeded', () => {
    let schema: JsonObject = { maxLength: 1 };
    for (let i = 0; i < 12; i++) schema = { oneOf: [schema, schema] };
    const test = new ValueTest(readStructural(schema, names));
    assert.throws(() => test.holds('ab', budgetOf(1000)), BudgetError);
  });
});

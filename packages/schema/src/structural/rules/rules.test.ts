import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, type FieldError, namesFor } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { codecCompiler } from '../../index.ts';
import { testKind } from '../../testing/test-kind.ts';

const names = namesFor('orch');
const key = 'x-orch-validations';

/** Validates writes of a kind whose spec has a schema. */
function writesOf(spec: JsonObject, root: JsonObject = {}) {
  const kind = testKind({ type: 'object', properties: { spec }, ...root }, names);
  const codec = codecCompiler(names).compile(kind);
  const object = (value: unknown): ApiObject =>
    ({ kind: 'Thing', apiVersion: 'example.com/v1', metadata: { name: 'x' }, spec: value }) as ApiObject;
  return (value: unknown, old?: unknown): readonly FieldError[] =>
    codec.validate(object(value), old === undefined ? undefined : object(old));
}

const lines = (errors: readonly FieldError[]): readonly string[] =>
  errors.map(({ field, message, type }) => `${type} ${field}: ${message}`);

const replicas = (...rules: JsonObject[]): JsonObject => ({
  type: 'object',
  [key]: rules,
  properties: { min: { type: 'integer' }, max: { type: 'integer' }, name: { type: 'string' } },
});
const ordered = { rule: 'self.min <= self.max' };

describe('rules of a schema', () => {
  const rows: readonly (readonly [
    title: string,
    rule: JsonObject,
    value: JsonObject,
    ...errors: string[],
  ])[] = [
    ['rules that hold report no error', ordered, { min: 1, max: 2 }],
    [
      'rules that do not hold are reported with their expression',
      ordered,
      { min: 3, max: 2 },
      'FieldValueInvalid spec: Invalid value: failed rule: self.min <= self.max',
    ],
    [
      'errors of rules contain the message of the rule',
      { ...ordered, message: 'min is too large' },
      { min: 3, max: 2 },
      'FieldValueInvalid spec: Invalid value: min is too large',
    ],
    [
      'errors of rules contain the result of the message expression',
      { ...ordered, message: 'no', messageExpression: '"max is " + string(self.max)' },
      { min: 3, max: 2 },
      'FieldValueInvalid spec: Invalid value: max is 2',
    ],
    [
      'errors of rules contain the message when the message expression fails',
      { ...ordered, message: 'no', messageExpression: 'string(self.max / 0)' },
      { min: 3, max: 2 },
      'FieldValueInvalid spec: Invalid value: no',
    ],
    [
      'errors of rules have the reason and the path of the rule',
      { ...ordered, reason: 'FieldValueForbidden', fieldPath: '.min', message: 'no' },
      { min: 3, max: 2 },
      'FieldValueForbidden spec.min: Forbidden: no',
    ],
    [
      'rules whose evaluation fails are reported',
      { rule: '6 / self.min > 1' },
      { min: 0 },
      'FieldValueInvalid spec: Invalid value: "object": division by zero evaluating rule: 6 / self.min > 1',
    ],
  ];
  for (const [title, rule, value, ...errors] of rows) {
    it(title, () => assert.deepEqual(lines(writesOf(replicas(rule))(value)), errors));
  }

  it('transition rules are evaluated on updates only, unless the old value is optional', () => {
    const change = writesOf(replicas({ rule: 'self.max >= oldSelf.max', message: 'shrinks' }));
    assert.deepEqual(change({ max: 1 }), []);
    assert.equal(change({ max: 1 }, { max: 2 }).length, 1);
    const first = writesOf(replicas({ rule: 'oldSelf.hasValue() || self.max == 0', optionalOldSelf: true }));
    assert.equal(first({ max: 1 }).length, 1);
    assert.deepEqual(first({ max: 1 }, { max: 5 }), []);
  });

  it('transition rules compare list items that are correlated by their keys', () => {
    const spec = {
      type: 'array',
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': ['k'],
      items: {
        type: 'object',
        required: ['k'],
        properties: { k: { type: 'string' }, n: { type: 'integer' } },
        [key]: [{ rule: 'self.n == oldSelf.n', message: 'fixed' }],
      },
    };
    const write = writesOf(spec);
    const old = [
      { k: 'a', n: 1 },
      { k: 'b', n: 2 },
    ];
    assert.deepEqual(write([...old].reverse(), old), []);
    assert.deepEqual(
      write(
        [
          { k: 'c', n: 9 },
          { k: 'b', n: 3 },
        ],
        old,
      ).map(({ field }) => field),
      ['spec[1]'],
    );
  });

  it('violations by an unchanged value are reported for transition rules only', () => {
    const write = writesOf(replicas(ordered));
    const wrong = { min: 3, max: 2, name: 'a' };
    assert.deepEqual(write(wrong, wrong), []);
    assert.equal(write({ ...wrong, name: 'b' }, wrong).length, 1);
    const never = writesOf(replicas({ rule: 'self != oldSelf' }));
    assert.equal(never(wrong, wrong).length, 1);
  });

  it('rules are not evaluated while values have types that differ from the schema', () => {
    const errors = writesOf(replicas(ordered))({ min: 'x', max: 1 });
    assert.match(errors.at(-1)?.message ?? '', /some validation rules were not checked/);
    assert.equal(errors.length, 2);
  });

  it('rules at the root can read the name of the object and no other metadata', () => {
    const named = { [key]: [{ rule: "self.metadata.name == 'y'" }] };
    assert.deepEqual(
      writesOf({ type: 'object' }, named)({}).map(({ field }) => field),
      ['<nil>'],
    );
    const hidden = { [key]: [{ rule: 'self.metadata.labels.size() == 0' }] };
    assert.match(writesOf({ type: 'object' }, hidden)({})[0]?.message ?? '', /rule compile error/);
  });

  it('evaluation of rules stops when all rules together have used the budget of an object', () => {
    const rule = { rule: 'self.items.all(a, self.items.all(b, a == a))' };
    const spec = {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'integer' } } },
      [key]: Array.from({ length: 40 }, () => rule),
    };
    const start = process.cpuUsage();
    const errors = writesOf(spec)({ items: Array.from({ length: 400 }, (_, i) => i) });
    assert.match(errors.at(-1)?.message ?? '', /no further validation rules will be run/);
    assert.ok(errors.length < 40);
    assert.ok(process.cpuUsage(start).user < 5e6);
  });

  it('rules can read fields whose names are reserved words of the language', () => {
    const spec = {
      type: 'object',
      properties: { constructor: { type: 'string' } },
      [key]: [{ rule: '!has(self.constructor)' }],
    };
    assert.deepEqual(writesOf(spec)({}), []);
    assert.equal(writesOf(spec)({ constructor: 'a' }).length, 1);
  });
});

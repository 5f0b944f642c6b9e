import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@orch/machinery/json';
import { definitionViolations, noReference } from './reference.ts';
import { written } from './written-definition.ts';

const text = { type: 'string' };
const rules = (...all: JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': all });
const properties = {
  a: text,
  n: { type: 'integer' },
  m: { type: 'object', additionalProperties: text },
  either: { 'x-kubernetes-int-or-string': true },
  time: { type: 'string', format: 'date-time' },
};
const object = (...all: JsonObject[]): JsonObject => ({ type: 'object', properties, ...rules(...all) });
const list = (maxItems: number | undefined, items: JsonObject, ...all: JsonObject[]): JsonObject => ({
  type: 'array',
  items,
  ...(maxItems === undefined ? {} : { maxItems }),
  ...rules(...all),
});
const nested = { rule: 'self.all(a, self.all(b, a == b))' };

/** Schemas of `spec`. */
const specs: readonly JsonObject[] = [
  object({ rule: "self.a == 'x' || self.n > 1" }),
  object({ rule: 'self.missing' }),
  object({ rule: 'self.n' }),
  object({ rule: 'self.a ==' }),
  object({ rule: ' ' }),
  object({ rule: 'true', message: ' ', messageExpression: ' ' }),
  object({ rule: 'true', reason: 'Other', fieldPath: '.a' }),
  object({ rule: 'true', fieldPath: '.b' }),
  object({ rule: 'true', fieldPath: ".m['x.y']" }),
  object({ rule: 'true', fieldPath: '.m.x.y' }),
  object({ rule: 'true', fieldPath: 'a' }),
  object({ rule: 'true', fieldPath: ' ' }),
  object({ rule: 'true', messageExpression: 'self.n' }),
  object({ rule: 'true', messageExpression: "'n is ' + string(self.n)" }),
  object({ rule: 'true', optionalOldSelf: true }),
  object({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }),
  object({ rule: 'oldSelf.hasValue()' }),
  object({ rule: "self.either == 1 || self.either == 'a'" }),
  object({ rule: "self.time > timestamp('2024-01-01T00:00:00Z')" }),
  object({ rule: "self.m.all(k, self.m[k].startsWith('a'))" }),
  object({ rule: 'self.m.all(k, self.m.all(l, self.m[k] == self.m[l]))' }),
  object({ rule: "self.a.matches('(')" }),
  object({ rule: "quantity('1Q').isGreaterThan(quantity('1'))" }),
  list(undefined, text, nested),
  list(10, text, nested),
  list(100, { ...text, maxLength: 10 }, nested),
  list(undefined, { ...text, maxLength: 10, ...rules({ rule: "self.contains('a')" }) }),
  list(undefined, { ...text, ...rules({ rule: "self.contains('a')" }) }),
  list(5, { ...text, ...rules({ rule: 'self == oldSelf' }) }),
  list(5, object({ rule: 'self.n == oldSelf.n' })),
  {
    ...list(5, { ...object({ rule: 'self.n == oldSelf.n' }), required: ['a'] }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
  },
  { type: 'object', additionalProperties: { ...text, ...rules({ rule: 'self == oldSelf' }) } },
  { ...object(), allOf: [rules({ rule: 'true' })] },
  list(undefined, list(undefined, { type: 'integer', ...rules({ rule: 'self > 0' }) })),
  list(1000, list(1000, { type: 'integer', ...rules({ rule: 'self > 0 && self < 10 && self != 5' }) })),
];

/** A field with a default, within the schema of `spec`. */
const withDefault = (field: JsonObject): JsonObject => ({ type: 'object', properties: { f: field } });
const resource = (properties: JsonObject, more: JsonObject = {}): JsonObject =>
  withDefault({ type: 'object', 'x-kubernetes-embedded-resource': true, properties, ...more });
const apiType = { apiVersion: { ...text, default: 'v1' }, kind: { ...text, default: 'Pod' } };
const withMetadata = (metadata: JsonObject): JsonObject =>
  resource({ ...apiType, metadata: { type: 'object', ...metadata } });
const isY = rules({ rule: "self == 'y'" });

/** Schemas of `spec` with defaults that fit their own rules, or do not. */
const defaulted: readonly JsonObject[] = [
  withDefault({ ...text, default: 'x', ...rules({ rule: "self == 'x'" }) }),
  withDefault({ ...text, default: 'x', ...rules({ rule: "self == 'y'", message: 'not y' }) }),
  withDefault({ ...text, default: 'x', ...rules({ rule: "self == 'y'", reason: 'FieldValueForbidden' }) }),
  withDefault({ ...text, default: 'x', maxLength: 0, ...isY }),
  withDefault({ type: 'integer', default: 0, ...rules({ rule: '1 / self == 1' }) }),
  withDefault({ ...text, default: 'x', ...rules({ rule: 'self.missing' }) }),
  withDefault({ ...text, default: 'x', ...rules({ rule: 'self != oldSelf' }) }),
  withDefault({ ...text, default: 'x', ...rules({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }) }),
  withDefault({ ...text, default: 'x', ...rules({ rule: '!oldSelf.hasValue()', optionalOldSelf: true }) }),
  withDefault({ ...object({ rule: "self.a == 'y'", fieldPath: '.a' }), default: { a: 'x' } }),
  withDefault({ ...object({ rule: 'self.n > 0' }), default: {} }),
  withDefault({ type: 'object', default: { a: 'x' }, properties: { a: { ...text, ...isY } } }),
  withDefault({ ...object({ rule: 'self.n > 5' }), properties: { n: { type: 'integer', default: 1 } } }),
  withDefault({
    ...object({ rule: 'self.n > 5' }),
    default: {},
    properties: { n: { type: 'integer', default: 1 } },
  }),
  withDefault(list(5, { ...text, default: 'x', ...isY })),
  withDefault({ ...list(5, text, { rule: "self.all(a, a == 'y')" }), default: ['y', 'x'] }),
  withDefault({ ...list(5, text), 'x-kubernetes-list-type': 'set', default: ['x', 'x'] }),
  withDefault({ ...list(1000, text, nested), default: new Array(1000).fill('x') }),
  resource(apiType),
  resource(apiType, { default: {} }),
  resource(apiType, { default: { apiVersion: 'v1', kind: 'Pod' } }),
  resource(apiType, { default: { apiVersion: 'a/b/c', kind: '1' } }),
  resource(apiType, { default: { apiVersion: 1, kind: 'Pod' } }),
  resource(apiType, { default: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: 'x' } } }),
  resource(apiType, { default: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: '/' } } } }),
  resource(apiType, { default: { apiVersion: 'v1', kind: 'Pod', metadata: { other: 1 } } }),
  resource(apiType, { default: { apiVersion: 'v1', kind: 'Pod', metadata: null } }),
  resource({ ...apiType, kind: { ...text, default: '1' } }),
  resource({ ...apiType, apiVersion: { ...text, default: 'a/b/c' } }),
  withMetadata({ default: { name: 'x', labels: { a: '/' } } }),
  withMetadata({ default: { name: 1 } }),
  withMetadata({ properties: { name: { ...text, default: 'a/b' } } }),
  withMetadata({ properties: { name: { ...text, default: 'b' } } }),
  withMetadata({ properties: { name: { ...text, default: 'b', ...isY } } }),
  withMetadata({ properties: { finalizers: { type: 'array', items: { ...text, default: 'x y' } } } }),
  withMetadata({
    properties: { labels: { type: 'object', properties: { a: { ...text, default: 'x y' } } } },
  }),
  resource({ spec: { type: 'object', properties: { kind: { ...text, default: '1' } } } }),
  resource({
    ...apiType,
    spec: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: apiType,
      default: { kind: 'A' },
    },
  }),
];

const fieldLists: readonly (readonly string[])[] = [
  ['.spec.a', '.spec.n'],
  ['.spec.a', '.spec.a'],
  ['.spec.m.x'],
  ['.spec.m'],
  ['.spec.missing'],
  ['.spec.either'],
  ['.spec.time'],
  [".spec['a']"],
  ['spec.a'],
  [''],
  ['.metadata.name'],
  Array.from({ length: 9 }, (_, i) => `.spec.f${i}`),
];

const definition = (spec: JsonObject, version: JsonObject = {}): JsonObject => ({
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: 'foos.a.io' },
  spec: {
    group: 'a.io',
    scope: 'Namespaced',
    names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec,
              metadata: { type: 'object', properties: { name: text } },
            },
          },
        },
        ...version,
      },
    ],
  },
});

const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, text]));
const definitions = [
  ...[...specs, ...defaulted].map((spec) => definition(spec)),
  ...fieldLists.map((paths) =>
    definition(
      { type: 'object', properties: { ...properties, ...many } },
      { selectableFields: paths.map((jsonPath) => ({ jsonPath })) },
    ),
  ),
];

const lines = (violations: readonly { readonly type: string; readonly field: string }[]): readonly string[] =>
  [...new Set(violations.map(({ field, type }) => `${type} ${field}`))].sort();

describe('definitions compared with the reference implementation', { skip: noReference }, () => {
  it('definitions are refused for the same reasons as by the reference implementation, also for rules, defaults and selectable fields', () => {
    const expected = definitionViolations(definitions);
    assert.equal(expected.length, definitions.length);
    assert.ok(expected.filter((violations) => violations.length > 0).length > 20);
    for (const [i, one] of definitions.entries()) {
      const { violations } = written(one);
      assert.deepEqual(lines(violations), lines(expected[i] ?? []), JSON.stringify(one));
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FieldError } from '@orch/machinery';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { customResourceDefinitions as definitions } from './index.ts';

type Fields = Readonly<Record<string, unknown>>;

const now = writePath();
const definition = (spec: Fields, root: Fields = {}): Record<string, unknown> => ({
  metadata: { name: 'foos.a.io' },
  spec: {
    group: 'a.io',
    scope: 'Namespaced',
    names: { plural: 'foos', kind: 'Foo' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec }, ...root } },
      },
    ],
  },
});
const rules = (...all: Fields[]): Fields => ({ 'x-orch-validations': all });
const written = (spec: Fields): readonly FieldError[] => now.create(definitions, definition(spec)).errors;
const at = 'spec.validation.openAPIV3Schema.properties[spec]';
const properties = { a: { type: 'string' }, n: { type: 'integer' } };
const text = { type: 'string' };

describe('expressions of definitions', () => {
  const rows: readonly (readonly [title: string, spec: Fields, ...errors: string[]])[] = [
    [
      'that compile are accepted',
      { type: 'object', properties, ...rules({ rule: "self.a == 'x' || self.n > 1" }) },
    ],
    [
      'over fields that the schema does not declare are refused',
      { type: 'object', properties, ...rules({ rule: 'self.b == 1' }) },
      `FieldValueInvalid ${at}.x-orch-validations[0].rule`,
    ],
    [
      'that are not boolean are refused',
      { type: 'object', properties, ...rules({ rule: 'self.n' }) },
      `FieldValueInvalid ${at}.x-orch-validations[0].rule`,
    ],
    [
      'of messages that are not strings are refused',
      { type: 'object', properties, ...rules({ rule: 'true', messageExpression: 'self.n' }) },
      `FieldValueInvalid ${at}.x-orch-validations[0].messageExpression`,
    ],
    [
      'about changes of items that cannot be correlated are refused',
      { type: 'array', maxItems: 3, items: { ...text, maxLength: 9, ...rules({ rule: 'self == oldSelf' }) } },
      `FieldValueInvalid ${at}.items.x-orch-validations[0].rule`,
    ],
    [
      'that ask for an old value without using it are refused',
      { type: 'object', properties, ...rules({ rule: 'true', optionalOldSelf: true }) },
      `FieldValueInvalid ${at}.x-orch-validations[0].optionalOldSelf`,
    ],
    [
      'that may cost too much are refused, alone and together',
      { type: 'array', items: text, ...rules({ rule: 'self.all(a, self.all(b, a == b))' }) },
      `FieldValueForbidden ${at}.x-orch-validations[0].rule`,
      `FieldValueForbidden ${at}.x-orch-validations[0].rule`,
      'FieldValueForbidden spec.validation.openAPIV3Schema',
    ],
    [
      'cost less where sizes are limited',
      {
        type: 'array',
        maxItems: 10,
        items: { ...text, maxLength: 10 },
        ...rules({ rule: 'self.all(a, self.all(b, a == b))' }),
      },
    ],
    [
      'are counted for every value that lists and maps allow',
      {
        type: 'array',
        maxItems: 1_000_000,
        items: { ...text, maxLength: 10_000, ...rules({ rule: "self.contains('a')" }) },
      },
      `FieldValueForbidden ${at}.items.x-orch-validations[0].rule`,
      `FieldValueForbidden ${at}.items.x-orch-validations[0].rule`,
      'FieldValueForbidden spec.validation.openAPIV3Schema',
    ],
    [
      'of values whose type is not known are refused',
      { 'x-orch-preserve-unknown-fields': true, ...rules({ rule: 'true' }) },
      `FieldValueInvalid ${at}.x-orch-validations`,
    ],
  ];
  for (const [title, spec, ...errors] of rows) {
    it(title, () =>
      assert.deepEqual(
        written(spec).map(({ field, type }) => `${type} ${field}`),
        errors,
      ),
    );
  }

  it('expressions of definitions are refused with the position of the problem', () => {
    const [error] = written({ type: 'object', properties, ...rules({ rule: 'self.a == 1 && self.b' }) });
    assert.match(error?.message ?? '', /compilation failed: ERROR: <input>:1:\d+: /);
    assert.match(error?.message ?? '', /undefined field 'b'/);
  });

  it('expressions of definitions have the same functions in every emulated release', () => {
    const spec = {
      type: 'object',
      properties,
      ...rules({ rule: 'isSemver(self.a) || [1, 2].sum() == self.n' }),
    };
    for (const release of ['1.16', '1.20', '1.27'])
      assert.deepEqual(
        causes(writePath(undefined, release).create(definitions, definition(spec))),
        [],
        release,
      );
  });

  it('expressions of definitions that were accepted are not checked again while their schema is unchanged', () => {
    const costly = { type: 'array', items: text, ...rules({ rule: 'self.all(a, self.all(b, a == b))' }) };
    const { object } = now.create(definitions, definition({ type: 'object' }));
    const schema = 'spec.versions[0].schema.openAPIV3Schema.properties.spec';
    const old = edited(object, { [schema]: costly });
    assert.deepEqual(
      causes(now.update(definitions, old, edited(old, { 'spec.names.shortNames': ['f'] }))),
      [],
    );
    assert.notDeepEqual(
      causes(now.update(definitions, old, edited(old, { [schema]: { ...costly, description: 'x' } }))),
      [],
    );
  });
});

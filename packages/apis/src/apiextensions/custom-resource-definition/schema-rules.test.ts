import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { atOnce } from '@orch/machinery/concurrency';
import { budgetOf } from '@orch/schema';
import { checkSchema, type SchemaRules } from './schema/check-schema.ts';
import { PatternCheck } from './schema/pattern-check.ts';

const names = namesFor('orch');
const strict: SchemaRules = {
  structural: true,
  knownTypes: true,
  allowsDefaults: true,
  prunedDefaults: true,
  hasStatus: false,
  expressions: true,
};

const problems = (
  schema: Readonly<Record<string, unknown>>,
  rules: Partial<SchemaRules> = {},
): readonly string[] =>
  atOnce(
    checkSchema(
      schema,
      's',
      { ...strict, ...rules },
      { names, budget: budgetOf(300_000), patterns: new PatternCheck() },
    ),
  ).errors.map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`);

/** A schema with one part. */
const withField = (a: unknown): Record<string, unknown> => ({ type: 'object', properties: { a } });
const at = 's.properties[a]';

describe('fields of structural schemas', () => {
  const either = [{ type: 'integer' }, { type: 'string' }];
  const rows: readonly (readonly [part: Record<string, unknown>, ...errors: string[]])[] = [
    [{ type: 'string', nullable: true, enum: ['a'], maxLength: 5, pattern: '^a' }],
    [{ type: 'array', items: { type: 'string' } }],
    [{ type: 'array' }, `Required ${at}.items`],
    [{ type: 'array', items: [{ type: 'string' }] }, `Forbidden ${at}.items`],
    [{ type: 'array', items: {} }, `Required ${at}.items.type`],
    [{ type: 'null' }, `Forbidden ${at}.type`],
    [{ type: 'object', additionalProperties: { type: 'string' } }],
    [{ type: 'object', additionalProperties: {} }, `Required ${at}.additionalProperties.type`],
    [
      { type: 'object', additionalProperties: false, properties: { b: { type: 'string' } } },
      `Forbidden ${at}.additionalProperties`,
    ],
    [{ type: 'string', id: 'x' }, `Forbidden ${at}.id`],
    [{ type: 'object', patternProperties: { a: {} } }, `Forbidden ${at}.patternProperties`],
    [{ type: 'object', definitions: { a: {} } }, `Forbidden ${at}.definitions`],
    [{ type: 'object', dependencies: { a: ['b'] } }, `Forbidden ${at}.dependencies`],
    [{ type: 'array', items: { type: 'string' }, additionalItems: false }, `Forbidden ${at}.additionalItems`],
    [{ type: 'string', $schema: 'x' }, `Forbidden ${at}.$schema`],
    [{ 'x-orch-preserve-unknown-fields': true }],
    [{ 'x-orch-int-or-string': true }],
    [{ 'x-orch-int-or-string': true, anyOf: either }],
    [{ 'x-orch-int-or-string': true, allOf: [{ anyOf: either }, { pattern: 'x' }] }],
    [
      { 'x-orch-int-or-string': true, anyOf: either.toReversed() },
      `Forbidden ${at}.anyOf[0].type`,
      `Forbidden ${at}.anyOf[1].type`,
    ],
    [
      { 'x-orch-int-or-string': true, 'x-orch-preserve-unknown-fields': true },
      `Invalid ${at}.x-orch-preserve-unknown-fields`,
    ],
    [{ 'x-orch-embedded-resource': true, type: 'object', 'x-orch-preserve-unknown-fields': true }],
    [{ 'x-orch-embedded-resource': true, 'x-orch-preserve-unknown-fields': true }, `Required ${at}.type`],
    [
      { 'x-orch-embedded-resource': true, type: 'object', properties: { kind: { type: 'integer' } } },
      `Invalid ${at}.properties[kind].type`,
    ],
    [{ type: 'string', pattern: '(' }, `Invalid ${at}.pattern`],
    [{ type: 'string', not: { pattern: '(?=a)' } }, `Invalid ${at}.not.pattern`],
  ];
  for (const [part, ...errors] of rows) {
    it(`fields of structural schemas are validated: ${JSON.stringify(part)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(problems(withField(part)), errors));
  }
});

describe('combined schemas', () => {
  const rows: readonly (readonly [schema: Record<string, unknown>, ...errors: string[]])[] = [
    [
      {
        properties: { b: { type: 'string' } },
        anyOf: [{ required: ['b'] }, { properties: { b: { minLength: 1 } } }],
      },
    ],
    [{ allOf: [{ type: 'object' }] }, `Forbidden ${at}.allOf[0].type`],
    [
      { anyOf: [{ description: 'x', nullable: true, default: 1, title: 't' }] },
      `Forbidden ${at}.anyOf[0].title`,
      `Forbidden ${at}.anyOf[0].description`,
      `Forbidden ${at}.anyOf[0].default`,
      `Forbidden ${at}.anyOf[0].nullable`,
    ],
    [
      { not: { 'x-orch-list-type': 'set' } },
      `Required ${at}.not.type`,
      `Forbidden ${at}.not.x-orch-list-type`,
    ],
    [
      { properties: { metadata: { type: 'object' } }, not: { properties: { metadata: {} } } },
      `Forbidden ${at}.not.properties[metadata]`,
    ],
  ];
  for (const [schema, ...errors] of rows) {
    it(`combined schemas are validated: ${JSON.stringify(schema)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual([...problems(withField({ type: 'object', ...schema }))].sort(), [...errors].sort()));
  }
});

describe('combinations that name undeclared fields', () => {
  for (const [combination, missing] of [
    [{ oneOf: [{ properties: { b: { minLength: 1 } } }] }, 's.properties[b]'],
    [{ anyOf: [{ properties: { a: { properties: { b: {} } } } }] }, `${at}.properties[b]`],
    [{ allOf: [{ properties: { a: { items: { minLength: 1 } } } }] }, `${at}.items`],
    [{ not: { not: { properties: { b: {} } } } }, 's.properties[b]'],
  ] as const) {
    it(`combinations that name undeclared fields are refused at the root only, as in the reference: ${JSON.stringify(combination)}`, () => {
      const schema = { ...withField({ type: 'object' }), ...combination };
      assert.deepEqual(problems(schema), [`Required ${missing}`]);
      assert.deepEqual(problems(withField(schema)), []);
    });
  }
});

describe('lists and maps', () => {
  const items = (rest: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
    type: 'object',
    required: ['k'],
    properties: { k: { type: 'string' }, o: { type: 'object' }, d: { type: 'string', default: 'x' } },
    ...rest,
  });
  const list = (type: string, rest: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
    type: 'array',
    'x-orch-list-type': type,
    ...rest,
  });
  const keys = 'x-orch-list-map-keys';
  const rows: readonly (readonly [part: Record<string, unknown>, ...errors: string[]])[] = [
    [list('map', { [keys]: ['k'], items: items() })],
    [list('map', { [keys]: ['d'], items: items() })],
    [list('map', { [keys]: ['k', 'k'], items: items() }), `Invalid ${at}.${keys}`],
    [list('map', { [keys]: ['nope'], items: items() }), `Invalid ${at}.${keys}`],
    [
      list('map', { [keys]: ['o'], items: items({ required: ['o'] }) }),
      `Invalid ${at}.items.properties[o].type`,
    ],
    [
      list('map', { [keys]: ['k'], items: items({ required: [] }) }),
      `Required ${at}.items.properties[k].default`,
    ],
    [list('map', { [keys]: ['k'], items: items({ nullable: true }) }), `Forbidden ${at}.items.nullable`],
    [list('map', { [keys]: ['k'], items: { type: 'string' } }), `Invalid ${at}.items.type`],
    [list('set', { items: { type: 'string' } })],
    [list('set', { items: { type: 'object' } }), `Invalid ${at}.items.x-orch-map-type`],
    [list('set', { items: { type: 'object', 'x-orch-map-type': 'atomic' } })],
    [list('set', { items: { type: 'array', items: { type: 'string' } } })],
    [
      list('set', { items: { type: 'array', items: { type: 'string' }, 'x-orch-list-type': 'set' } }),
      `Invalid ${at}.items.x-orch-list-type`,
    ],
    [list('set', { items: { type: 'string', nullable: true } }), `Forbidden ${at}.items.nullable`],
    [list('atomic', { items: items(), [keys]: ['k'] }), `Invalid ${at}.x-orch-list-type`],
    [{ type: 'array', items: items(), [keys]: ['k'] }, `Required ${at}.x-orch-list-type`],
    [{ type: 'string', 'x-orch-list-type': 'set' }, `Invalid ${at}.type`],
    [{ type: 'object', 'x-orch-map-type': 'granular' }],
    [{ type: 'object', 'x-orch-map-type': 'set' }, `NotSupported ${at}.x-orch-map-type`],
    [{ type: 'string', 'x-orch-map-type': 'atomic' }, `Invalid ${at}.type`],
  ];
  for (const [part, ...errors] of rows) {
    it(`schemas of lists and maps are validated: ${JSON.stringify(part)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(problems(withField(part)), errors));
  }
});

describe('defaults in schemas', () => {
  const object = { type: 'object', properties: { b: { type: 'integer', minimum: 1 } }, required: ['b'] };
  const isY = { 'x-orch-validations': [{ rule: "self == 'y'" }] };
  const resource = {
    type: 'object',
    'x-orch-embedded-resource': true,
    'x-orch-preserve-unknown-fields': true,
  };
  const rows: readonly (readonly [part: Record<string, unknown>, ...errors: string[]])[] = [
    [{ type: 'string', default: '' }],
    [{ type: 'string', default: 5 }, `TypeInvalid ${at}.default`],
    [{ type: 'integer', default: 1.5 }, `TypeInvalid ${at}.default`],
    [{ type: 'integer', default: 2 }],
    [{ type: 'number', default: 1.5, multipleOf: 0.5, maximum: 2 }],
    [{ type: 'number', default: 1, maximum: 1, exclusiveMaximum: true }, `Invalid ${at}.default`],
    [{ type: 'boolean', default: false }],
    [{ type: 'string', default: 'b', enum: ['a'] }, `NotSupported ${at}.default`],
    [{ type: 'string', default: 'ab', pattern: '^a$' }, `Invalid ${at}.default`],
    [{ type: 'string', default: 'é', maxLength: 1, minLength: 1 }],
    [{ type: 'string', default: 'x', format: 'date-time' }, `TypeInvalid ${at}.default`],
    [{ type: 'string', default: '2024-02-30', format: 'date' }, `TypeInvalid ${at}.default`],
    [{ type: 'string', default: '10.0.0.1', format: 'ipv4' }],
    [{ type: 'string', default: 'x', format: 'nobody-knows' }],
    [{ 'x-orch-int-or-string': true, default: '5%' }],
    // As in other servers: only objects that get such a default are refused.
    [{ 'x-orch-int-or-string': true, default: true }],
    [{ 'x-orch-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], default: 1 }],
    [{ type: 'array', items: { type: 'string' }, default: ['a', 1] }, `TypeInvalid ${at}.default.[1]`],
    [{ type: 'array', items: { type: 'string' }, default: [], minItems: 1 }, `Invalid ${at}.default`],
    [{ ...object, default: { b: 1 } }],
    [{ ...object, default: {} }, `Required ${at}.default.b`],
    [{ ...object, default: { b: 0 } }, `Invalid ${at}.default.b`],
    [{ ...object, default: { b: 1, c: 2 } }, `Invalid ${at}.default`],
    [{ ...object, 'x-orch-preserve-unknown-fields': true, default: { b: 1, c: 2 } }],
    [{ type: 'object', additionalProperties: { type: 'string' }, default: { x: 'y' } }],
    [
      { type: 'object', additionalProperties: { type: 'string' }, default: { x: 1 } },
      `TypeInvalid ${at}.default.x`,
    ],
    [{ type: 'string', default: 'a', not: { enum: ['a'] } }, `Invalid ${at}.default`],
    [{ type: 'string', default: 'a', oneOf: [{ minLength: 1 }, { maxLength: 1 }] }, `Invalid ${at}.default`],
    [
      {
        type: 'string',
        default: 'a',
        anyOf: [{ minLength: 2 }, { maxLength: 1 }],
        allOf: [{ pattern: 'a' }],
      },
    ],
    [
      { type: 'object', properties: { b: { type: 'string', default: 1 } } },
      `TypeInvalid ${at}.properties[b].default`,
    ],
    // The reference does not check the defaults of the values of maps, with which no object would be valid.
    [
      {
        type: 'object',
        additionalProperties: { type: 'object', properties: { b: { type: 'string', default: 1 } } },
      },
      `TypeInvalid ${at}.additionalProperties.properties[b].default`,
    ],
    [{ type: 'string', default: 'x', ...isY }, `Invalid ${at}.default`],
    [{ type: 'string', default: 'y', ...isY }],
    [
      { type: 'object', default: { b: 'x' }, properties: { b: { type: 'string', ...isY } } },
      `Invalid ${at}.default.b`,
    ],
    [
      {
        type: 'array',
        items: { type: 'string', default: 'x', 'x-orch-validations': [{ rule: 'self != oldSelf' }] },
      },
      `Invalid ${at}.items.default`,
    ],
    [{ ...resource, default: {} }, `Required ${at}.default.apiVersion`, `Required ${at}.default.kind`],
    [{ ...resource, default: { apiVersion: 'v1', kind: 'Pod' } }],
    [
      { ...resource, default: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: 1 } } },
      `Invalid ${at}.default.metadata`,
    ],
    [
      { ...resource, properties: { metadata: { type: 'object', default: { name: 'a/b' } } } },
      `Invalid ${at}.properties[metadata].default`,
    ],
  ];
  for (const [part, ...errors] of rows) {
    it(`defaults in schemas are validated: ${JSON.stringify(part)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(problems(withField(part)), errors));
  }

  it('defaults are not allowed where they may not be', () =>
    assert.deepEqual(problems(withField({ type: 'string', default: 'x' }), { allowsDefaults: false }), [
      `Forbidden ${at}.default`,
    ]));

  it('defaults may hold what was allowed before', () =>
    assert.deepEqual(
      problems(withField({ type: 'object', default: { x: 1 } }), { prunedDefaults: false }),
      [],
    ));
});

describe('the root', () => {
  const rows: readonly (readonly [
    schema: Record<string, unknown>,
    rules: Partial<SchemaRules>,
    ...errors: string[],
  ])[] = [
    [{ type: 'object', additionalProperties: { type: 'string' } }, {}, 'Forbidden s.additionalProperties'],
    [{ type: 'object', default: {} }, {}, 'Required s.default.apiVersion', 'Required s.default.kind'],
    [{ type: 'object', default: { apiVersion: 'a/v1', kind: 'A' } }, {}],
    [
      { type: 'object', properties: { metadata: { type: 'object', default: {} } } },
      {},
      'Forbidden s.properties[metadata].default',
    ],
    [
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } },
      },
      {},
      'Forbidden s.properties[metadata].properties[name].default',
    ],
    ...['kind', 'apiVersion'].map(
      (name) =>
        [
          { type: 'object', properties: { [name]: { type: 'string', default: 'x' } } },
          {},
          `Forbidden s.properties[${name}].default`,
        ] as const,
    ),
    [
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } } },
      },
      {},
    ],
    [
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
      },
      {},
      'Forbidden s.properties[metadata]',
    ],
    [
      { type: 'object', properties: { metadata: { type: 'object', description: 'x' } } },
      {},
      'Forbidden s.properties[metadata]',
    ],
    [
      { type: 'object', properties: { metadata: { type: 'string' } } },
      {},
      'Invalid s.properties[metadata].type',
    ],
    [
      { type: 'object', properties: { apiVersion: { type: 'integer' } } },
      {},
      'Invalid s.properties[apiVersion].type',
    ],
    [{ type: 'object', description: 'x', required: ['spec'] }, { hasStatus: true }],
    [{ type: 'object', oneOf: [{ required: ['a'] }] }, { hasStatus: true }, 'Invalid s'],
    [{ type: 'object', 'x-orch-preserve-unknown-fields': true }, { hasStatus: true }],
    [{ type: 'array', items: { type: 'string' } }, { hasStatus: true, structural: false }, 'Invalid s.type'],
    [{ 'x-orch-preserve-unknown-fields': true }, {}],
  ];
  for (const [schema, rules, ...errors] of rows) {
    it(`the root of a schema is validated: ${JSON.stringify(schema)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(problems(schema, rules), errors));
  }
});

describe('adversarial schemas', () => {
  it('the validation of adversarial schemas stops at its cost budget', () => {
    const anyOf = [...Array.from({ length: 20_000 }, (_, i) => ({ minimum: i + 2 })), { maximum: 1 }];
    const schema = withField({
      type: 'array',
      items: { type: 'integer', anyOf },
      default: new Array(20_000).fill(1),
    });
    const start = process.cpuUsage();
    assert.deepEqual(problems(schema), ['Forbidden s']);
    assert.ok(process.cpuUsage(start).user < 5e6);
  });

  it('adversarial schemas have at most a hundred errors of each type', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, i) => [`p${i}`, { id: 'x', type: 'q' }]),
    );
    assert.equal(problems({ type: 'object', properties }).length, 100);
  });

  it('schemas may have the maximum JSON nesting', () => {
    let deep: Record<string, unknown> = { type: 'string' };
    for (let i = 0; i < 400; i++) deep = { type: 'object', properties: { a: deep } };
    assert.deepEqual(problems(deep), []);
  });

  it('schemas with fields named like fields of JavaScript objects are ordinary schemas', () => {
    const items = { type: 'object', properties: {} };
    const part = {
      type: 'array',
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': ['constructor'],
      items,
    };
    assert.deepEqual(problems(withField(part)), [`Invalid ${at}.x-orch-list-map-keys`]);
    assert.deepEqual(
      problems(
        withField({
          type: 'object',
          properties: { b: { type: 'string' } },
          default: JSON.parse('{"toString":"x"}'),
        }),
      ),
      [`Invalid ${at}.default`],
    );
  });
});

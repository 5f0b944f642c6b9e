import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@orch/machinery/json';
import { writePath } from '../../testing/write-path.ts';
import { customResourceDefinitions } from './index.ts';
import { DEFINITION_LIMITS } from './schema/definition-size.ts';
import { customResourceDefinitionStrategy as strategy } from './strategy.ts';

const path = writePath(undefined, undefined, { version: 'apiextensions/v1' });
const { context, names } = path;
const codec = path.codec(customResourceDefinitions);

const definition = (spec: JsonObject, version: JsonObject = {}): JsonObject => ({
  apiVersion: names.apiVersion('apiextensions', 'v1'),
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.a.io' },
  spec: {
    group: 'a.io',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        ...version,
      },
    ],
  },
});

/** The problems of a definition that is created, or that replaces another one. */
function problemsOf(next: JsonObject, old?: JsonObject): readonly string[] {
  const read = (value: JsonObject) => codec.decode(value, { defaults: true }).value;
  const object = read(next);
  const before = old === undefined ? undefined : read(old);
  if (before === undefined) strategy.prepareForCreate?.(object, context);
  else {
    strategy.prepareForCreate?.(before, context);
    strategy.prepareForUpdate?.(object, before, context);
  }
  const found = strategy.validate?.(object, before, context) ?? [];
  return found.map(({ field, message }) => `${field}: ${message}`);
}

const text = { type: 'string' };
const fields = (count: number, schemaOf: (i: number) => JsonObject): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, schemaOf(i)])),
});
const key = names.schemaExtensions.validations;
const at = 'spec.validation.openAPIV3Schema';

describe('definitions that are made to cost work', () => {
  const rows: readonly (readonly [title: string, spec: () => JsonObject, problem: RegExp])[] = [
    [
      'with more schemas than the limit',
      () => fields(DEFINITION_LIMITS.schemas, () => text),
      /^spec\.validation\.openAPIV3Schema: Forbidden: the definition has more than 50000 schemas$/,
    ],
    [
      'with more alternatives than the limit',
      () => ({
        type: 'integer',
        anyOf: Array.from({ length: DEFINITION_LIMITS.schemas }, (_, i) => ({ minimum: i })),
      }),
      /Forbidden: the definition has more than 50000 schemas$/,
    ],
    [
      'with more rules than the limit',
      () => ({
        type: 'integer',
        [key]: Array.from({ length: DEFINITION_LIMITS.rules + 1 }, (_, i) => ({ rule: `self > ${i}` })),
      }),
      /Forbidden: the definition has more than 5000 validation rules$/,
    ],
    [
      'with longer rules than the limit',
      () => ({
        type: 'integer',
        [key]: Array.from({ length: 6 }, () => ({
          rule: `self > 1${' || self > 1'.repeat(9000)}`,
          message: 'x',
        })),
      }),
      /Forbidden: the definition has more than 500000 characters of validation rules$/,
    ],
    [
      'with a pattern that explodes',
      () => ({ type: 'string', pattern: `(${'ab'.repeat(500)}){1000}` }),
      /its program would have about \d+ instructions, more than 10000$/,
    ],
    [
      'with many patterns that are each within the limit',
      () => fields(1000, (i) => ({ type: 'string', pattern: `^a{900}${i}$` })),
      /the patterns of this definition would have more than 20000 instructions in total$/,
    ],
    [
      'with many patterns that repeat classes of Unicode, each within the limit',
      () => fields(1000, (i) => ({ type: 'string', pattern: `^\\p{L}{700}${i}$` })),
      /the patterns of this definition would take the work of more than 60000 instructions in total$/,
    ],
    [
      'with a pattern that repeats classes of Unicode a thousand times',
      () => ({ type: 'string', pattern: '([\\p{L}\\p{S}]x){1000}' }),
      /its repeated Unicode classes would take the work of \d+ instructions, more than 20000$/,
    ],
    [
      'with a rule whose pattern explodes',
      () => ({ type: 'string', [key]: [{ rule: `self.matches('(${'ab'.repeat(500)}){1000}')` }] }),
      /more than 100000 instructions in patterns of validation rules$/,
    ],
    [
      'with rules that nest over lists without limits',
      () => ({
        type: 'array',
        items: { type: 'integer' },
        [key]: [{ rule: 'self.all(a, self.all(b, self.all(c, a == b && b == c)))' }],
      }),
      /estimated rule cost exceeds budget by factor of more than 100x/,
    ],
    [
      'with defaults that are compared with many alternatives',
      () => ({
        type: 'array',
        items: { type: 'integer', anyOf: Array.from({ length: 20_000 }, (_, i) => ({ minimum: i + 2 })) },
        default: new Array(20_000).fill(1),
      }),
      /Forbidden: the defaults are too much work to check against this schema$/,
    ],
    [
      'with default values at every level, each of which is compared with everything below it',
      () => {
        let schema = fields(20_000, () => ({ ...text, default: 'x', [key]: [] }));
        for (let i = 0; i < 150; i++) schema = { type: 'object', default: {}, properties: { a: schema } };
        return { ...schema, default: 5 };
      },
      /properties\[spec\]\.default: Invalid value: "integer"/,
    ],
    [
      'with a rule of unlimited nesting',
      () => ({ type: 'integer', [key]: [{ rule: `${'('.repeat(1000)}true${')'.repeat(1000)}` }] }),
      /compilation failed: .*recursion limit exceeded|^.*\.rule: Invalid value: "\(\(/,
    ],
  ];
  for (const [title, spec, problem] of rows) {
    it(`${title} are refused with a message that names the limit`, () => {
      const [first = '', ...others] = problemsOf(definition(spec()));
      const shown = first.length > 800 ? `${first.slice(0, 400)}${first.slice(-400)}` : first;
      assert.match(shown, problem);
      assert.ok(others.length <= 100);
    });
  }

  it('definitions with thousands of selectable fields are refused, and a hundred of them are checked', () => {
    const selectableFields = Array.from({ length: 20_000 }, (_, i) => ({ jsonPath: `.spec.q${i}` }));
    const problems = problemsOf(
      definition(
        fields(1, () => text),
        { selectableFields },
      ),
    );
    assert.ok(problems.length <= 101, `${problems.length}`);
    assert.match(problems[0] ?? '', /^spec\.selectableFields\[0\]\.jsonPath: Invalid value/);
  });

  it('costly definitions are accepted below the limits', () => {
    assert.deepEqual(
      problemsOf(definition(fields(1000, () => ({ type: 'string', pattern: '^a{900}$' })))),
      [],
    );
    const rules = Array.from({ length: 500 }, (_, i) => ({ rule: `self > ${i}` }));
    assert.deepEqual(problemsOf(definition({ type: 'integer', [key]: rules })), []);
  });

  it('definitions with rules on more texts of an enumeration than a call has arguments are accepted', () => {
    const texts = Array.from({ length: 200_000 }, (_, i) => `t${i}`);
    const listed = { ...text, enum: texts, [key]: [{ rule: "self != 'x'" }] };
    assert.deepEqual(problemsOf(definition({ type: 'object', properties: { listed } })), []);
  });

  it('costly definitions that were accepted before there were limits can still be changed elsewhere', () => {
    const large = definition(fields(DEFINITION_LIMITS.schemas, () => text));
    const changed = { ...large, metadata: { name: 'things.a.io', labels: { a: 'b' } } };
    assert.deepEqual(problemsOf(changed, large), []);
    const grown = definition(fields(DEFINITION_LIMITS.schemas + 1, () => text));
    assert.equal(problemsOf(grown, large).length, 1);
  });
});

describe('definitions with unusual names', () => {
  const unusual = (name: string): JsonObject =>
    ({
      type: 'object',
      properties: JSON.parse(`{${JSON.stringify(name)}:{"type":"string","default":"x"}}`),
    }) as JsonObject;
  for (const name of [
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'toString',
    '',
    'a.b',
    'a/b',
    '.',
    '[0]',
    'a b',
    'é',
    '\u0000',
  ]) {
    it(`definitions with unusual names may have a property named ${JSON.stringify(name)}, which is an ordinary field`, () =>
      assert.deepEqual(problemsOf(definition(unusual(name))), []));
    it(`definitions with unusual names report errors of a property named ${JSON.stringify(name)} with its name`, () => {
      const wrong = JSON.parse(`{${JSON.stringify(name)}:{"type":"string","default":1}}`);
      assert.deepEqual(
        problemsOf(definition({ type: 'object', properties: wrong })).map(
          (problem) => problem.split(': ')[0],
        ),
        [`${at}.properties[spec].properties[${name}].default`],
      );
    });
    it(`definitions with unusual names may require a property named ${JSON.stringify(name)} that is not declared`, () =>
      assert.deepEqual(problemsOf(definition({ type: 'object', required: [name] })), []));
  }

  it('definitions with unusual names are refused with a list map key that only the language has', () => {
    const items = { type: 'object', properties: { a: text } };
    for (const name of ['__proto__', 'constructor']) {
      const list = { type: 'array', items, 'x-orch-list-type': 'map', 'x-orch-list-map-keys': [name] };
      assert.match(problemsOf(definition(list))[0] ?? '', /entries must all be names of item properties/);
    }
  });

  it('definitions with unusual names are refused with names of the resource that contain separators', () => {
    for (const plural of ['a/b', 'a.b', '..', '__proto__', 'constructor/']) {
      const wrong = structuredClone(definition(text)) as { spec: { names: { plural: string } } };
      wrong.spec.names.plural = plural;
      const { value } = codec.decode(wrong, { defaults: true });
      assert.ok(
        codec.validate(value).some(({ field }) => field === 'spec.names.plural'),
        plural,
      );
    }
  });
});

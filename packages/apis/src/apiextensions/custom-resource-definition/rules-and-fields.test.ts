import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { asObjects, specOf } from '@orch/machinery/json';
import { codecCompiler } from '@orch/schema';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { customResourceDefinitions as definitions } from './index.ts';

type Fields = Readonly<Record<string, unknown>>;

const now = writePath();
const properties = {
  metadata: { type: 'object', properties: { name: { type: 'string' } } },
  spec: {
    type: 'object',
    properties: {
      color: { type: 'string' },
      size: { type: 'integer' },
      on: { type: 'boolean' },
      ratio: { type: 'number' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, { type: 'string' }])),
    },
  },
};
const version = (name: string, given: Fields, schema: Fields = {}): Fields => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties, ...schema } },
  ...given,
});
const definition = (versions: readonly Fields[]): Record<string, unknown> => ({
  metadata: { name: 'foos.a.io' },
  spec: { group: 'a.io', scope: 'Namespaced', names: { plural: 'foos', kind: 'Foo' }, versions },
});
const fields = (...paths: string[]): Fields => ({
  selectableFields: paths.map((jsonPath) => ({ jsonPath })),
});

describe('validation rules of definitions', () => {
  const rulesOf = (...rules: Fields[]): Fields => ({ 'x-orch-validations': rules });
  const created = (release: string | undefined, ...rules: Fields[]): readonly string[] =>
    causes(
      writePath(undefined, release).create(definitions, definition([version('v1', {}, rulesOf(...rules))])),
    );
  const at = 'spec.validation.openAPIV3Schema.x-orch-validations[0]';
  const rows: readonly (readonly [rule: Fields, ...errors: string[]])[] = [
    [{ rule: 'true' }],
    [{ rule: 'true', message: 'no', reason: 'FieldValueForbidden', fieldPath: '.spec.color' }],
    [{ rule: 'true', messageExpression: '"no"', fieldPath: ".spec.labels['a.b']" }],
    [{ rule: ' ' }, `FieldValueRequired ${at}.rule`],
    [{ rule: 'true\n&& true' }, `FieldValueRequired ${at}.message`],
    [{ rule: 'true', message: ' ' }, `FieldValueInvalid ${at}.message`],
    [{ rule: 'true', message: 'x\ny' }, `FieldValueInvalid ${at}.message`],
    [{ rule: 'true', messageExpression: ' ' }, `FieldValueRequired ${at}.messageExpression`],
    [{ rule: 'true', reason: 'Other' }, `FieldValueNotSupported ${at}.reason`],
    [{ rule: 'true', fieldPath: '.spec.none' }, `FieldValueInvalid ${at}.fieldPath`],
    [
      { rule: 'true', fieldPath: ' ' },
      `FieldValueInvalid ${at}.fieldPath`,
      `FieldValueInvalid ${at}.fieldPath`,
    ],
  ];
  for (const [rule, ...errors] of rows) {
    it(`${JSON.stringify(rule)} is ${errors.length === 0 ? 'accepted' : `refused: ${errors.join()}`}`, () =>
      assert.deepEqual(created(undefined, rule), errors));
  }

  it('validation rules of definitions are kept and validated in every emulated release', () => {
    const rule = { rule: 'true', messageExpression: '"no"', reason: 'FieldValueInvalid', fieldPath: '.spec' };
    for (const release of ['1.16', '1.20', '1.24', '1.27']) {
      const written = writePath(undefined, release).create(
        definitions,
        definition([
          version('v1', {}, rulesOf({ ...rule, rule: '!oldSelf.hasValue()', optionalOldSelf: true })),
        ]),
      );
      const [stored] = asObjects(specOf(written.object)['versions']);
      assert.match(JSON.stringify(stored), /"optionalOldSelf":true/, release);
      assert.deepEqual(created(release, { rule: '' }), [`FieldValueRequired ${at}.rule`], release);
    }
  });

  it('validation rules of definitions are refused within combinations of schemas', () =>
    assert.deepEqual(
      causes(
        now.create(definitions, definition([version('v1', {}, { allOf: [rulesOf({ rule: 'true' })] })])),
      ),
      ['FieldValueForbidden spec.validation.openAPIV3Schema.allOf[0].x-orch-validations'],
    ));
});

describe('selectable fields of definitions', () => {
  const rows: readonly (readonly [paths: readonly string[], ...errors: string[]])[] = [
    [['.spec.color', '.spec.size', '.spec.on']],
    [['.spec.labels.a']],
    [[''], 'FieldValueRequired spec.selectableFields[0].jsonPath'],
    [['.spec.none'], 'FieldValueInvalid spec.selectableFields[0].jsonPath'],
    [['spec.color'], 'FieldValueInvalid spec.selectableFields[0].jsonPath'],
    [[".spec['color']"], 'FieldValueInvalid spec.selectableFields[0].jsonPath'],
    [['.spec'], 'FieldValueInvalid spec.selectableFields[0].jsonPath'],
    [['.spec.ratio'], 'FieldValueInvalid spec.selectableFields[0].jsonPath'],
    [['.metadata.name'], 'FieldValueInvalid spec.selectableFields[0].jsonPath'],
    [['.spec.color', '.spec.color'], 'FieldValueDuplicate spec.selectableFields[1].jsonPath'],
    [Array.from({ length: 9 }, (_, i) => `.spec.f${i}`), 'FieldValueTooMany spec.selectableFields'],
  ];
  for (const [paths, ...errors] of rows) {
    it(`${paths.join(' ')} are ${errors.length === 0 ? 'accepted' : `refused: ${errors.join()}`}`, () =>
      assert.deepEqual(
        causes(now.create(definitions, definition([version('v1', fields(...paths))]))),
        errors,
      ));
  }

  it('selectable fields of definitions are reported for the version that declares them where versions differ', () =>
    assert.deepEqual(
      causes(
        now.create(
          definitions,
          definition([version('v1', fields('.spec.color')), version('v2', fields('.a'))]),
        ),
      ),
      ['FieldValueInvalid spec.versions[1].selectableFields[0].jsonPath'],
    ));

  it('selectable fields of definitions are refused in a version without a schema', () => {
    const { schema: _none, ...rest } = version('v1', fields('.spec.color'));
    assert.ok(
      causes(now.create(definitions, definition([rest]))).includes('FieldValueInvalid spec.selectableFields'),
    );
  });

  it('selectable fields of definitions stay when an update leaves more of them than are allowed as they are', () => {
    const nine = fields(...Array.from({ length: 9 }, (_, i) => `.spec.f${i}`));
    const { object } = now.create(definitions, definition([version('v1', {})]));
    const old: ApiObject = edited(object, { 'spec.versions[0].selectableFields': nine['selectableFields'] });
    assert.deepEqual(
      causes(now.update(definitions, old, edited(old, { 'spec.names.shortNames': ['f'] }))),
      [],
    );
  });

  it('selectable fields of definitions are top-level fields in the older version when all versions declare the same ones', () => {
    const written = now.create(
      definitions,
      definition([version('v1', fields('.spec.color')), version('v2', fields('.spec.color'))]),
    );
    assert.deepEqual(causes(written), []);
    const older = definitions.versions.find(({ version: name }) => name === 'v1beta1');
    assert.ok(older?.lens !== undefined);
    const spec = structuredClone(specOf(written.object)) as Record<string, unknown>;
    const object = { ...structuredClone(written.object), spec };
    older.lens.fromHub(object, { names: namesFor('orch'), root: object });
    assert.deepEqual(spec['selectableFields'], [{ jsonPath: '.spec.color' }]);
    assert.equal(codecCompiler(namesFor('orch')).compile(older.schema).decode(object).problems.length, 0);
  });
});

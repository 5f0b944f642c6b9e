import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { statusOf } from '@orch/machinery/json';
import { codecCompiler, protobufCodec } from '@orch/schema';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { customResourceDefinitions as definitions } from './index.ts';

const names = namesFor('orch');
const now = writePath();
const older = writePath(undefined, '1.20', { version: 'apiextensions/v1beta1' });

const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
const version = (name: string, rest: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  name,
  served: true,
  storage: name === 'v1',
  schema,
  ...rest,
});
const given = (spec: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  metadata: { name: 'foos.a.io' },
  spec: {
    group: 'a.io',
    scope: 'Namespaced',
    names: { plural: 'foos', kind: 'Foo' },
    versions: [version('v1')],
    ...spec,
  },
});
const established = { 'status.conditions': [{ type: 'Established', status: 'True' }] };

/** A definition as it is stored. */
const stored = (spec?: Readonly<Record<string, unknown>>): ApiObject => {
  const written = now.create(definitions, given(spec));
  assert.deepEqual(causes(written), []);
  return written.object;
};

describe('versions of definitions', () => {
  it('versions of definitions in which objects were stored stay in status.storedVersions', () => {
    const two = stored({ versions: [version('v1'), version('v2')] });
    assert.deepEqual(statusOf(two)['storedVersions'], ['v1']);
    const next = edited(two, { 'spec.versions[0].storage': false, 'spec.versions[1].storage': true });
    const written = now.update(definitions, two, next);
    assert.deepEqual([causes(written), statusOf(written.object)['storedVersions']], [[], ['v1', 'v2']]);
    const without = edited(written.object, { 'spec.versions': [version('v2', { storage: true })] });
    assert.deepEqual(causes(now.update(definitions, written.object, without)), [
      'FieldValueInvalid status.storedVersions[0]',
    ]);
  });

  it('versions of definitions may be forgotten through /status, but for the one in which objects are stored', () => {
    const two = edited(stored({ versions: [version('v1'), version('v2')] }), {
      'status.storedVersions': ['v1', 'v2'],
    });
    const status = (storedVersions: readonly string[]): readonly string[] =>
      causes(
        now.update(definitions, two, edited(two, { 'status.storedVersions': storedVersions }), 'status'),
      );
    assert.deepEqual(status(['v1']), []);
    assert.deepEqual(status(['v2']), ['FieldValueInvalid status.storedVersions']);
    assert.deepEqual(status([]), ['FieldValueInvalid status.storedVersions']);
    assert.deepEqual(status(['v1', 'v3']), ['FieldValueInvalid status.storedVersions[1]']);
  });

  for (const [set, ...errors] of [
    [{ deprecated: true, deprecationWarning: 'old' }],
    [{ deprecated: true, deprecationWarning: '' }, 'FieldValueInvalid spec.versions[0].deprecationWarning'],
    [
      { deprecated: true, deprecationWarning: 'a\u0007' },
      'FieldValueInvalid spec.versions[0].deprecationWarning',
    ],
    [
      { deprecated: true, deprecationWarning: 'x'.repeat(257) },
      'FieldValueInvalid spec.versions[0].deprecationWarning',
    ],
    [{ name: '' }, 'FieldValueInvalid spec.versions[0].name'],
  ] as const) {
    it(`versions of definitions are validated with ${JSON.stringify(set).slice(0, 60)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(now.create(definitions, given({ versions: [version('v1', set)] }))), errors));
  }
});

describe('errors in schemas', () => {
  const bad = { openAPIV3Schema: { type: 'object', nullable: true } };
  const create = (...versions: readonly unknown[]): readonly string[] =>
    causes(now.create(definitions, given({ versions })));

  it('errors in a schema that all versions share are reported once', () => {
    const where = 'spec.validation.openAPIV3Schema.nullable';
    const twice = [version('v1', { schema: bad }), version('v2', { schema: bad })];
    assert.deepEqual(create(...twice), [`FieldValueForbidden ${where}`]);
  });

  it('errors in the schema of one version contain the path of the version', () =>
    assert.deepEqual(create(version('v1'), version('v2', { schema: bad })), [
      'FieldValueForbidden spec.versions[1].schema.openAPIV3Schema.nullable',
    ]));

  it('errors in columns and subresources contain the path of the version too', () => {
    const parts = {
      additionalPrinterColumns: [{ name: 'a', type: 'x', jsonPath: '.a' }],
      subresources: {
        scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.spec.b', labelSelectorPath: 'x' },
      },
    };
    assert.deepEqual(create(version('v1'), version('v2', parts)), [
      'FieldValueInvalid spec.versions[1].subresources.scale.statusReplicasPath',
      'FieldValueInvalid spec.versions[1].subresources.scale.labelSelectorPath',
      'FieldValueInvalid spec.versions[1].additionalPrinterColumns[0].type',
    ]);
  });

  for (const name of ['a\u001b[2J', 'a\nb', 'a\u009b', 'a\u202eb', 'a\u2066b'])
    it(`the title ${JSON.stringify(name)} of a column is refused`, () => {
      const additionalPrinterColumns = [{ name, type: 'string', jsonPath: '.a' }];
      assert.deepEqual(create(version('v1', { additionalPrinterColumns })), [
        'FieldValueInvalid spec.additionalPrinterColumns[0].name',
      ]);
    });

  for (const [jsonPath, ...errors] of [
    ['.spec["a.b"]'],
    ['.spec.list['],
    ['spec.a', 'FieldValueInvalid spec.additionalPrinterColumns[0].JSONPath'],
    ['{.spec.a}', 'FieldValueInvalid spec.additionalPrinterColumns[0].JSONPath'],
  ] as const) {
    it(`the path ${jsonPath} of a column is ${errors.length === 0 ? 'accepted' : 'refused'}, as in the reference`, () => {
      const additionalPrinterColumns = [{ name: 'a', type: 'string', jsonPath }];
      assert.deepEqual(create(version('v1', { additionalPrinterColumns })), errors);
    });
  }

  it('the refusal to preserve all fields names the extension that does, as it is served', () => {
    const kubernetes = writePath(namesFor('kubernetes'));
    const { errors } = kubernetes.create(definitions, given({ preserveUnknownFields: true }));
    assert.deepEqual(
      errors.map(({ message }) => /set (x-\S+) to true/.exec(message)?.[1]),
      ['x-kubernetes-preserve-unknown-fields'],
    );
  });

  it('errors in schemas contain the served names of extensions', () => {
    const kubernetes = writePath(namesFor('kubernetes'));
    const map = { type: 'array', 'x-kubernetes-list-type': 'map', items: { type: 'object' } };
    const openAPIV3Schema = { type: 'object', properties: { a: map } };
    const written = kubernetes.create(
      definitions,
      given({ versions: [version('v1', { schema: { openAPIV3Schema } })] }),
    );
    assert.deepEqual(causes(written), [
      'FieldValueRequired spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-map-keys',
    ]);
  });
});

describe('definitions that are served', () => {
  const old = edited(stored(), established);
  for (const [set, ...errors] of [
    [{ 'spec.names.shortNames': ['f'], 'spec.names.singular': 'thefoo', 'spec.names.listKind': 'Foos' }],
    [
      { 'spec.names.kind': 'Bar', 'spec.scope': 'Cluster' },
      'FieldValueInvalid spec.scope',
      'FieldValueInvalid spec.names.kind',
    ],
  ] as const) {
    it(`definitions that are served change ${Object.keys(set).join()}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(now.update(definitions, old, edited(old, set))), errors));
  }

  it('definitions that are not established yet may change their kind and scope', () => {
    const fresh = stored();
    const next = edited(fresh, { 'spec.names.kind': 'Bar', 'spec.scope': 'Cluster' });
    assert.deepEqual(causes(now.update(definitions, fresh, next)), []);
  });
});

describe('definitions of the project’s own groups', () => {
  const key = 'api-approved.orch.io';
  const own = (annotations: Readonly<Record<string, string>>): Record<string, unknown> => ({
    ...given({ group: 'x.orch.io' }),
    metadata: { name: 'foos.x.orch.io', annotations },
  });

  for (const [value, isFine] of [
    ['https://example.com/pull/1', true],
    ['unapproved, for a test', true],
    ['yes', false],
    ['', false],
  ] as const) {
    it(`definitions of the project’s own groups are ${isFine ? 'fine' : 'refused'} with ${JSON.stringify(value)}`, () =>
      assert.equal(causes(now.create(definitions, own({ [key]: value }))).length === 0, isFine));
  }

  it('definitions of protected groups need no approval in the older version, nor in updates', () => {
    const { object, errors } = older.create(definitions, own({}));
    assert.deepEqual(errors, []);
    const next = edited(object, { 'metadata.labels': { a: 'b' } });
    assert.deepEqual(causes(now.update(definitions, object, next)), []);
  });

  it('the protected groups follow the served naming', () => {
    const kubernetes = writePath(namesFor('kubernetes'));
    const inGroup = (group: string): readonly string[] =>
      causes(kubernetes.create(definitions, { ...given({ group }), metadata: { name: `foos.${group}` } }));
    const missing = ['FieldValueRequired metadata.annotations[api-approved.kubernetes.io]'];
    assert.deepEqual(['x.k8s.io', 'x.kubernetes.io', 'kubernetes.io'].map(inGroup), [
      missing,
      missing,
      missing,
    ]);
    assert.deepEqual([inGroup('x.orch.io'), inGroup('notk8s.io')], [[], []]);
  });
});

describe('definitions in Protobuf', () => {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      any: { 'x-orch-preserve-unknown-fields': true, default: { a: [1, null, 'x'] }, example: 0 },
      list: {
        type: 'array',
        items: { type: 'integer', maximum: 1.5, format: 'int64' },
        maxItems: 0,
      },
      map: { type: 'object', additionalProperties: { type: 'string', enum: ['a', null, 5] } },
      open: { type: 'object', additionalProperties: true },
      closed: { type: 'object', additionalProperties: false, nullable: true },
    },
  };
  for (const { version: name, schema: kind } of definitions.versions) {
    it(`definitions in Protobuf are the same as in JSON: ${name}`, () => {
      const codec = codecCompiler(names).compile(kind);
      const spec = {
        versions: [version('v1', { schema: { openAPIV3Schema } })],
        validation: { openAPIV3Schema },
      };
      const { value, problems } = codec.decode(given(spec));
      assert.deepEqual(problems, []);
      const messages = protobufCodec(kind, names);
      const again = codec.decode(messages.decode(messages.encode(value)));
      assert.deepEqual([again.value, again.problems], [value, []]);
    });
  }
});

describe('tables of definitions', () => {
  it('definitions are rows with their scope, served versions and names', () => {
    const definition = edited(
      stored({ versions: [version('v1'), version('v2', { served: false })] }),
      established,
    );
    assert.deepEqual(definitions.table?.cells(definition, now.names), [
      'foos.a.io',
      'Namespaced',
      'v1(storage)',
      now.context.now,
      'a.io',
      'Foo',
      '',
      true,
    ]);
  });
});

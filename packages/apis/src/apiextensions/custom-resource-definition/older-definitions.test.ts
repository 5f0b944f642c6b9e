import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson, specOf } from '@orch/machinery/json';
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
/** A definition as it is stored. */
const stored = (spec?: Readonly<Record<string, unknown>>): ApiObject => {
  const written = now.create(definitions, given(spec));
  assert.deepEqual(causes(written), []);
  return written.object;
};

describe('what was allowed once', () => {
  const lax = {
    metadata: { name: 'foos.a.io' },
    spec: { group: 'a.io', version: 'v1', names: { plural: 'foos', kind: 'Foo' } },
  };
  const create = (spec: Readonly<Record<string, unknown>> = {}): ApiObject => {
    const written = older.create(definitions, { ...lax, spec: { ...lax.spec, ...spec } });
    assert.deepEqual(causes(written), []);
    return written.object;
  };
  const touch = (object: ApiObject, set: Readonly<Record<string, unknown>> = {}): readonly string[] =>
    causes(now.update(definitions, object, edited(object, { 'spec.names.shortNames': ['f'], ...set })));

  it('an existing definition keeps what was allowed once: unknown fields, versions without a schema, schemas without structure', () => {
    assert.deepEqual(touch(create()), []);
    assert.deepEqual(touch(create({ validation: { openAPIV3Schema: { properties: { a: {} } } } })), []);
    assert.deepEqual(
      touch(
        create({ validation: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'foo' } } } } }),
      ),
      [],
    );
  });

  it('a definition cannot return to what was allowed once', () => {
    assert.deepEqual(touch(stored(), { 'spec.preserveUnknownFields': true }), [
      'FieldValueInvalid spec.preserveUnknownFields',
    ]);
    const schemaless = { 'spec.versions[0].schema': undefined };
    assert.deepEqual(touch(stored(), schemaless), [
      'FieldValueRequired spec.versions[0].schema.openAPIV3Schema',
    ]);
  });

  it('a definition without structure needs one where features require it', () => {
    const refused = (spec: Readonly<Record<string, unknown>>): readonly string[] =>
      causes(older.create(definitions, { ...lax, spec: { ...lax.spec, ...spec } }));
    const loose = { properties: { a: {} } };
    const at = 'spec.validation.openAPIV3Schema';
    const loosely = [`FieldValueRequired ${at}.properties[a].type`, `FieldValueRequired ${at}.type`];
    assert.deepEqual(
      refused({ preserveUnknownFields: false, validation: { openAPIV3Schema: loose } }),
      loosely,
    );
    assert.deepEqual(refused({ preserveUnknownFields: false }), [
      'FieldValueRequired spec.versions[0].schema.openAPIV3Schema',
    ]);
    const extended = { properties: { a: { 'x-orch-int-or-string': true } } };
    assert.deepEqual(refused({ validation: { openAPIV3Schema: extended } }), [
      `FieldValueRequired ${at}.type`,
    ]);
    const defaulted = { type: 'object', properties: { a: { type: 'string', default: 'x' } } };
    assert.deepEqual(refused({ preserveUnknownFields: false, validation: { openAPIV3Schema: defaulted } }), [
      `FieldValueForbidden ${at}.properties[a].default`,
    ]);
    const conversion = { strategy: 'Webhook', webhookClientConfig: { url: 'https://a.b' } };
    assert.deepEqual(refused({ conversion }), ['FieldValueInvalid spec.conversion.strategy']);
  });
});

describe('definitions of the older version', () => {
  const lens = definitions.versions.find(({ version: name }) => name === 'v1beta1')?.lens;
  const toHub = (spec: unknown): unknown => {
    const object = { metadata: {}, spec: cloneJson(spec) } as Record<string, unknown>;
    lens?.toHub(object, { names, root: object });
    return object['spec'];
  };
  const fromHub = (spec: unknown): unknown => {
    const object = { metadata: {}, spec: cloneJson(spec) } as Record<string, unknown>;
    lens?.fromHub(object, { names, root: object });
    return object['spec'];
  };
  const column = (path: string): unknown => ({ name: 'a', type: 'string', [path]: '.a' });

  const rows: readonly (readonly [title: string, older: unknown, hub: unknown])[] = [
    [
      'one version, named at the top level',
      {
        version: 'v1',
        versions: [{ name: 'v1' }],
        validation: schema,
        subresources: { status: {} },
        additionalPrinterColumns: [column('JSONPath')],
        preserveUnknownFields: false,
      },
      {
        versions: [
          {
            name: 'v1',
            schema,
            subresources: { status: {} },
            additionalPrinterColumns: [column('jsonPath')],
          },
        ],
        preserveUnknownFields: false,
      },
    ],
    [
      'two versions alike',
      {
        version: 'v1',
        versions: [{ name: 'v1' }, { name: 'v2' }],
        validation: schema,
        preserveUnknownFields: true,
      },
      {
        versions: [
          { name: 'v1', schema },
          { name: 'v2', schema },
        ],
        preserveUnknownFields: true,
      },
    ],
    [
      'two versions that differ',
      {
        version: 'v1',
        versions: [
          { name: 'v1', schema },
          { name: 'v2', additionalPrinterColumns: [column('JSONPath')] },
        ],
        preserveUnknownFields: false,
      },
      {
        versions: [
          { name: 'v1', schema },
          { name: 'v2', additionalPrinterColumns: [column('jsonPath')] },
        ],
        preserveUnknownFields: false,
      },
    ],
    [
      'a webhook',
      {
        conversion: {
          strategy: 'Webhook',
          webhookClientConfig: { url: 'u' },
          conversionReviewVersions: ['v1'],
        },
        preserveUnknownFields: false,
      },
      {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { url: 'u' }, conversionReviewVersions: ['v1'] },
        },
        preserveUnknownFields: false,
      },
    ],
  ];
  for (const [title, old, hub] of rows) {
    it(`definitions of the older version are converted and converted back: ${title}`, () => {
      assert.deepEqual(toHub(old), hub);
      assert.deepEqual(fromHub(hub), old);
    });
  }

  it('definitions of the older version with contradicting top-level fields are refused', () => {
    const twice = { ...given({ version: 'v2', validation: { openAPIV3Schema: { type: 'object' } } }) };
    assert.deepEqual(causes(older.create(definitions, twice)), [
      'FieldValueForbidden spec.validation',
      'FieldValueInvalid spec.version',
    ]);
  });

  it('definitions of the older version ignore annotations without a valid value', () => {
    const object = {
      metadata: { annotations: { 'deprecated.customresourcedefinition.validation': '5' } },
      spec: { versions: [{ name: 'v1', schema }] },
    } as unknown as ApiObject;
    lens?.fromHub(object, { names, root: object });
    assert.deepEqual(specOf(object)['validation'], schema);
  });
});

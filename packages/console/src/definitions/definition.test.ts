import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { definitionOf } from './definition.ts';

const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 1, default: 3, description: 'How many.' },
        parts: {
          type: 'array',
          maxItems: 5,
          items: { type: 'object', properties: { id: { type: 'string' } } },
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        free: { 'x-any': true },
      },
    },
  },
};

const made = (conversion: object): ApiObject =>
  ({
    metadata: { name: 'things.example.com' },
    spec: {
      conversion,
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
        { name: 'v1beta1', served: true, storage: false, deprecated: true },
      ],
    },
    status: { storedVersions: ['v1beta1', 'v1'] },
  }) as unknown as ApiObject;

describe('a definition of a custom resource', () => {
  it('the versions of a definition say which is stored, served and deprecated', () => {
    const { versions, storedVersions } = definitionOf(made({ strategy: 'None' }));
    assert.deepEqual(
      versions.map(({ name, isServed, isStored, isDeprecated }) => [name, isServed, isStored, isDeprecated]),
      [
        ['v1', true, true, false],
        ['v1beta1', true, false, true],
      ],
    );
    assert.deepEqual(storedVersions, ['v1beta1', 'v1']);
  });

  it('the schema of a version is a tree of fields with types, limits and descriptions', () => {
    const [spec] = definitionOf(made({})).versions[0]?.schema.fields() ?? [];
    assert.deepEqual([spec?.name, spec?.type, spec?.isRequired], ['spec', 'object', true]);
    const [size, parts, labels, free] = spec?.fields() ?? [];
    assert.deepEqual(
      [size?.type, size?.limits, size?.description],
      ['integer', ['minimum: 1', 'default: 3'], 'How many.'],
    );
    assert.deepEqual([parts?.type, parts?.fields().map(({ name }) => name)], ['list of object', ['id']]);
    assert.deepEqual([labels?.type, labels?.fields()], ['map of string', []]);
    assert.deepEqual([free?.type, free?.limits], ['any', ['x-any: true']]);
  });

  it('the conversion of a definition names the webhook', () => {
    const service = { namespace: 'web', name: 'converter' };
    const webhook = { clientConfig: { service } };
    assert.equal(definitionOf(made({ strategy: 'None' })).conversion, 'only the version changes');
    assert.equal(
      definitionOf(made({ strategy: 'Webhook', webhook })).conversion,
      'by the webhook web/converter',
    );
  });
});

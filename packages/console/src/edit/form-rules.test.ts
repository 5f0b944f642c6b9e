import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { schemaTree } from '../definitions/schema-field.ts';
import { absentFields, isRemovable, newValue, typeAt } from './form-rules.ts';
import { fieldAt } from './schema-at.ts';
import { formOf } from './yaml-form.ts';

const text = { type: 'string' };
const port = { type: 'object', required: ['port'], properties: { port: { type: 'integer' }, name: text } };
const spec = {
  type: 'object',
  properties: {
    ports: { type: 'array', items: port },
    owners: { type: 'object', additionalProperties: port },
    names: { type: 'array', items: text },
    labels: { type: 'object', additionalProperties: text },
    grid: { type: 'array', items: { type: 'array', items: port } },
  },
};
const root = schemaTree(
  { type: 'object', properties: { kind: text, metadata: { type: 'object' }, spec, data: text } },
  () => ({}),
);

describe('the rules of a form', () => {
  for (const [path, type] of [
    [[], 'object'],
    [['spec'], 'object'],
    [['spec', 'ports'], 'list of object'],
    [['spec', 'ports', 0], 'object'],
    [['spec', 'owners'], 'map of object'],
    [['spec', 'owners', 'a'], 'object'],
    [['spec', 'names', 3], 'string'],
    [['spec', 'grid', 0], 'list of object'],
    [['spec', 'grid', 0, 1], 'object'],
  ] as const)
    it(`the value at ${JSON.stringify(path)} has the type ${type}`, () => {
      const names = path.filter((step) => typeof step === 'string');
      const field = fieldAt(root, names) ?? assert.fail();
      assert.equal(typeAt(field, path), type);
    });

  it('what is added has its required fields', () => {
    const fields = fieldAt(root, ['spec', 'ports'])?.fields() ?? [];
    assert.deepEqual(newValue('object', fields), { port: 'value' });
    assert.deepEqual(newValue('list of object', fields), 'list');
    assert.deepEqual(newValue('map of string', []), {});
    assert.deepEqual([newValue('string', []), newValue('boolean', [])], ['text', 'value']);
  });

  it('a schema that requires itself is added to a bounded depth', () => {
    const self = { type: 'object', required: ['next'], properties: { next: { $ref: 'self' } } };
    const fields = schemaTree(self, () => self).fields();
    assert.ok(JSON.stringify(newValue('object', fields)).length < 200);
  });

  it('absent fields are offered, except those that the server sets', () => {
    const fields = formOf('kind: Thing\nspec: {names: []}\n') ?? [];
    assert.deepEqual(
      absentFields(root, [], fields).map(({ name }) => name),
      ['data'],
    );
  });

  it('fields and items can be removed, and what every object has cannot', () => {
    for (const path of [['metadata'], ['spec'], ['metadata', 'name'], ['kind']])
      assert.ok(!isRemovable(path), path.join('.'));
    for (const path of [['data'], ['spec', 'ports', 0], ['metadata', 'labels']])
      assert.ok(isRemovable(path), path.join('.'));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noReferences, schemaTree } from '../definitions/schema-field.ts';
import { fieldAt, valuesOf } from './schema-at.ts';

const port = { type: 'object', properties: { protocol: { type: 'string', enum: ['TCP', 'UDP', ''] } } };
const root = schemaTree(
  {
    type: 'object',
    properties: {
      ports: { type: 'array', items: port },
      byName: { type: 'object', additionalProperties: port },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      isOn: { type: 'boolean' },
    },
  },
  noReferences,
);

describe('a field of a schema', () => {
  for (const [path, name] of [
    ['', ''],
    ['ports.protocol', 'protocol'],
    ['byName.web.protocol', 'protocol'],
    ['labels', 'labels'],
    ['labels.app', 'labels'],
    ['absent', undefined],
    ['ports.absent', undefined],
  ] as const)
    it(`${path || 'the empty path'} leads to ${name ?? 'nothing'}`, () => {
      assert.equal(fieldAt(root, path === '' ? [] : path.split('.'))?.name, name);
    });

  it('the values of enumerations and switches are known', () => {
    assert.deepEqual(valuesOf(fieldAt(root, ['ports', 'protocol'])), ['TCP', 'UDP']);
    assert.deepEqual(valuesOf(fieldAt(root, ['isOn'])), ['true', 'false']);
    assert.deepEqual(valuesOf(fieldAt(root, ['labels'])), []);
    assert.deepEqual(valuesOf(undefined), []);
  });
});

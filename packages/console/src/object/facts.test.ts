import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutManagedFields } from '../api/objects.ts';
import { managersOf, statusFacts } from './facts.ts';

describe('facts of an object', () => {
  it('the fields of managers are paths, the last change first', () => {
    const managedFields = [
      {
        manager: 'a',
        operation: 'Update',
        time: '2026-01-01T00:00:00Z',
        fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:app.example/name': {} } } },
      },
      {
        manager: 'b',
        operation: 'Apply',
        time: '2026-01-02T00:00:00Z',
        fieldsV1: {
          'f:spec': {
            'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } },
            'f:finalizers': { 'v:"x"': {} },
          },
        },
      },
    ];
    assert.deepEqual(
      managersOf({ metadata: { managedFields } } as never).map(({ name, fields }) => [name, fields]),
      [
        ['b', ['spec.containers[name=web].image', 'spec.finalizers["x"]']],
        ['a', ['metadata.labels["app.example/name"]']],
      ],
    );
  });

  it('plain values of the status are shown, others are not', () => {
    const status = { phase: 'Pending', ready: 0, isOld: false, conditions: [], nested: {} };
    assert.deepEqual(statusFacts({ metadata: {}, status } as never), [
      ['phase', 'Pending'],
      ['ready', '0'],
      ['isOld', 'false'],
    ]);
  });

  it('YAML of the server is shown without the owners of fields, and unchanged otherwise', () => {
    const yaml = `kind: Pod
metadata:
  managedFields:
  - manager: a
    fieldsV1:
      f:spec: {}
  - manager: b
  name: one
spec:
  managedFields:
  - kept: true
`;
    assert.equal(
      withoutManagedFields(yaml),
      'kind: Pod\nmetadata:\n  name: one\nspec:\n  managedFields:\n  - kept: true\n',
    );
  });
});

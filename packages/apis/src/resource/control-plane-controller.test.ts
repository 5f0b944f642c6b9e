import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { writePath } from '../testing/write-path.ts';
import { causes, edited } from '../testing/writes.ts';
import { deviceClasses } from './device-class/index.ts';
import { resourceClaims } from './resource-claim/index.ts';

const path = writePath(undefined, '1.31', { openGates: new Set(['DRAControlPlaneController']) });
const { object: claim } = path.create(resourceClaims, {
  metadata: { name: 'x' },
  spec: { devices: {}, controller: 'd.io' },
});
const status = (old: ApiObject, set: Readonly<Record<string, unknown>>) =>
  path.update(resourceClaims, old, edited(old, set), 'status');
const { object: allocated } = status(claim, { 'status.allocation': { controller: 'd.io' } });
const consumers = Array.from({ length: 33 }, (_, i) => ({ resource: 'pods', name: `p${i}`, uid: `u${i}` }));
const { object: requested } = status(allocated, { 'status.deallocationRequested': true });

describe('claims whose driver allocates them', () => {
  it('release 1.31 keeps the driver of a claim, and the nodes of a class', () => {
    const nodes = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] };
    const { object } = path.create(deviceClasses, {
      metadata: { name: 'x' },
      spec: { suitableNodes: nodes },
    });
    assert.deepEqual(object['spec'], { suitableNodes: nodes });
    assert.equal((claim['spec'] as { controller: string }).controller, 'd.io');
  });

  for (const [title, written, ...errors] of [
    [
      'a driver whose name is none',
      path.create(resourceClaims, { metadata: { name: 'x' }, spec: { controller: 'a_b' } }),
      'FieldValueInvalid spec.controller',
    ],
    [
      'a request to release nothing',
      status(claim, { 'status.deallocationRequested': true }),
      'FieldValueForbidden status',
    ],
    [
      'a request to release what is reserved',
      status(allocated, {
        'status.deallocationRequested': true,
        'status.reservedFor': consumers.slice(0, 1),
      }),
      'FieldValueForbidden status.reservedFor',
      'FieldValueForbidden status.deallocationRequested',
    ],
    [
      'a request that is withdrawn',
      status(requested, { 'status.deallocationRequested': undefined }),
      'FieldValueForbidden status.deallocationRequested',
    ],
    [
      'an allocation that the driver released',
      status(requested, { 'status.deallocationRequested': undefined, 'status.allocation': undefined }),
    ],
    [
      'more than 32 consumers',
      status(allocated, { 'status.reservedFor': consumers }),
      'FieldValueTooMany status.reservedFor',
    ],
  ] as const)
    it(`claims whose driver allocates them: ${title}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(written).toSorted(), errors.toSorted()));
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { statusOf } from '@orch/machinery/json';
import { writePath } from '../../testing/write-path.ts';
import { causes, edited } from '../../testing/writes.ts';
import { apiServices } from './index.ts';

const path = writePath();
const create = (name: string, spec: Readonly<Record<string, unknown>>) =>
  path.create(apiServices, {
    metadata: { name },
    spec: { groupPriorityMinimum: 100, versionPriority: 10, ...spec },
  });
const remote = { group: 'z.io', version: 'v1', service: { name: 's', namespace: 'n' } };

describe('API services', () => {
  for (const [name, spec, ...errors] of [
    ['v1.', { version: 'v1' }],
    ['v2.', { version: 'v2' }, 'FieldValueRequired spec.group'],
    ['.z.io', { group: 'z.io' }, 'FieldValueInvalid spec.version'],
    ['V_.z.io', { group: 'z.io', version: 'V_' }, 'FieldValueInvalid spec.version'],
    ['v1.Z', { group: 'Z', version: 'v1' }, 'FieldValueInvalid spec.group'],
    ['v1.z.io', { group: 'z.io', version: 'v1', caBundle: 'dg==' }, 'FieldValueInvalid spec.caBundle'],
    ['v1.z.io', { ...remote, caBundle: 'dg==' }],
  ] as const) {
    it(`API services: ${name} with ${JSON.stringify(spec)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(causes(create(name, spec)), errors));
  }

  it('API services that this server serves are there at once', () => {
    const { object } = create('v1.z.io', { group: 'z.io', version: 'v1' });
    assert.deepEqual(statusOf(object)['conditions'], [
      {
        type: 'Available',
        status: 'True',
        lastTransitionTime: path.context.now,
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    ]);
    assert.deepEqual(create('v1.z.io', remote).object['status'], {});
  });

  it('API services keep their status but through its own path', () => {
    const { object } = create('v1.z.io', remote);
    const conditions = [{ type: 'Available', status: 'False', lastTransitionTime: null, reason: 'Gone' }];
    const next = edited(object, { 'status.conditions': conditions, 'spec.versionPriority': 20 });
    const main = path.update(apiServices, object, next).object;
    const status = path.update(apiServices, object, next, 'status').object;
    assert.deepEqual(main['status'], {});
    assert.deepEqual([status['spec'], statusOf(status)['conditions']], [object['spec'], conditions]);
  });

  it('API services show who serves them and whether they can be reached', () => {
    const names = namesFor('orch');
    const { object } = create('v1.z.io', remote);
    const cells = (conditions: readonly unknown[]): unknown =>
      apiServices.table?.cells(edited(object, { 'status.conditions': conditions }), names).slice(1, 3);
    assert.deepEqual(cells([]), ['n/s', 'Unknown']);
    assert.deepEqual(cells([{ type: 'Available', status: 'True', reason: 'Passed' }]), ['n/s', 'True']);
    assert.deepEqual(cells([{ type: 'Available', status: 'False', reason: 'Gone' }]), [
      'n/s',
      'False (Gone)',
    ]);
    assert.deepEqual(cells([{ type: 'Available', status: 'False' }]), ['n/s', 'False']);
    const local = create('v1.z.io', { group: 'z.io', version: 'v1' }).object;
    assert.deepEqual(apiServices.table?.cells(local, names).slice(1, 3), ['Local', 'True']);
  });
});

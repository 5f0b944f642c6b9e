import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writePath } from '../../testing/write-path.ts';
import { causes } from '../../testing/writes.ts';
import { resourcePoolStatusRequests as type } from './index.ts';

const path = writePath(undefined, '1.37');
const metadata = { name: 'r' };
const driver = 'gpu.example.com';
const requested = (fields: object): object => ({ metadata, spec: { driver, ...fields } });
const lastTransitionTime = '2026-05-06T07:08:09Z';
const complete = { type: 'Complete', status: 'True', reason: 'Done', message: '', lastTransitionTime };
const pool = { driver, poolName: 'p', generation: 1 };

describe('requests for the state of pools', () => {
  for (const [title, fields, ...expected] of [
    ['of a driver', {}],
    ['of no driver', { driver: '' }, 'FieldValueRequired spec.driver'],
    ['of a pool without a name', { poolName: '' }, 'FieldValueInvalid spec.poolName'],
    ['for too many pools', { limit: 1001 }, 'FieldValueInvalid spec.limit'],
    ['for no pools', { limit: 0 }, 'FieldValueInvalid spec.limit'],
  ] as const)
    it(`the errors of requests ${title} are reported`, () =>
      assert.deepEqual(causes(path.create(type, requested(fields))), expected));

  const { object } = path.create(type, { ...requested({}), status: { poolCount: 1 } });
  const report = (status: object, before = object) =>
    causes(path.update(type, before, { ...before, status }, 'status'));

  it('a request begins without a status, for a hundred pools', () => {
    assert.deepEqual(object['spec'], { driver, limit: 100 });
    assert.equal(object['status'], undefined);
    assert.deepEqual(causes(path.update(type, object, requested({ limit: 5 }))), ['FieldValueInvalid spec']);
  });

  it('a request is completed once', () => {
    const done = { poolCount: 1, pools: [pool], conditions: [complete] };
    assert.deepEqual(report(done), []);
    assert.deepEqual(report({ ...done, poolCount: 2 }, { ...object, status: done }), [
      'FieldValueInvalid status',
    ]);
    assert.deepEqual(report({ pools: [{ ...pool, totalDevices: -1 }] }), [
      'FieldValueRequired status.poolCount',
      'FieldValueInvalid status.pools[0].totalDevices',
    ]);
  });

  it('requests are rows with the numbers of devices', () => {
    const cells = (status?: object) =>
      type.table?.cells(status === undefined ? object : { ...object, status }, path.names).slice(1);
    assert.deepEqual(cells(), [driver, '-', '-', '-', '-', '-', 0, 'Pending', '<none>']);
    const pools = [
      { ...pool, totalDevices: 4, availableDevices: 1, allocatedDevices: 2, unavailableDevices: 1 },
      { ...pool, totalDevices: 2, validationError: 'incomplete' },
    ];
    assert.deepEqual(cells({ poolCount: 3, pools, conditions: [complete] }), [
      driver,
      '6',
      '1',
      '2',
      '1',
      '1',
      3,
      'Complete (2/3 pools)',
      { age: lastTransitionTime },
    ]);
    const failed = { ...complete, type: 'Failed' };
    assert.deepEqual(cells({ poolCount: 0, conditions: [failed] })?.slice(6), [0, 'Failed', '<none>']);
  });
});

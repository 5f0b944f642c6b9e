import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { typesAt } from '../../lifecycle.ts';
import { writePath } from '../../testing/write-path.ts';
import { priorityClasses } from './index.ts';

const path = writePath();
const create = (name: string, value: number, rest: object = {}) =>
  path.create(priorityClasses, { metadata: { name }, value, ...rest });

describe('priority classes', () => {
  for (const [title, name, value, rest, expected] of [
    ['of users have any value up to a bound', 'a', 1_000_000_000, {}, []],
    ['of users have values below nothing', 'a', -2_147_483_648, {}, []],
    ['of users are not above the bound', 'a', 1_000_000_001, {}, ['FieldValueForbidden value']],
    ['of the system are what they are', 'system-node-critical', 2_000_001_000, {}, []],
    ['of the system are what they are, the other one', 'system-cluster-critical', 2_000_000_000, {}, []],
    [
      'of the system have no other value',
      'system-node-critical',
      5,
      {},
      ['FieldValueForbidden metadata.name'],
    ],
    [
      'of the system cannot be the default',
      'system-node-critical',
      2_000_001_000,
      { globalDefault: true },
      ['FieldValueForbidden metadata.name'],
    ],
    ['of the system are not others', 'system-x', 2_000_001_000, {}, ['FieldValueForbidden metadata.name']],
  ] as const) {
    it(title, () => {
      const { errors } = create(name, value, rest);
      assert.deepEqual(
        errors.map(({ type, field }) => `${type} ${field}`),
        expected,
      );
    });
  }

  it('priority classes have the explicit value 0 when none is set', () => {
    const { object, errors } = path.create(priorityClasses, { metadata: { name: 'a' } });
    assert.deepEqual([errors, object['value']], [[], 0]);
  });

  it('priority classes preempt by default from the release on in which they can choose', () => {
    const policy = (release: string) =>
      writePath(undefined, release).create(priorityClasses, { metadata: { name: 'a' } }).object[
        'preemptionPolicy'
      ];
    assert.deepEqual(['1.18', '1.19'].map(policy), [undefined, 'PreemptLowerPriority']);
  });

  it('priority classes are rows with their value', () => {
    const cells = (rest: object) => priorityClasses.table?.cells(create('a', 7, rest).object, path.names);
    const age = { age: path.context.now };
    assert.deepEqual(cells({}), ['a', 7, false, age, 'PreemptLowerPriority']);
    assert.deepEqual(cells({ globalDefault: true, preemptionPolicy: 'Never' }), ['a', 7, true, age, 'Never']);
  });

  it('priority classes are the same in all their versions', () => {
    const [hub, ...older] = priorityClasses.versions;
    for (const { schema, lens } of older) assert.deepEqual([schema, lens], [hub?.schema, undefined]);
    const served = (release: string) =>
      typesAt(release, [priorityClasses])[0]?.served.map(({ version }) => version);
    assert.deepEqual([served('1.21'), served('1.22')], [['v1', 'v1beta1'], ['v1']]);
  });
});

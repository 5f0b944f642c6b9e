import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getPath } from '../../../testing/set-path.ts';
import { causes } from '../../../testing/writes.ts';
import { clientOf, stored } from '../testing/job-client.ts';

const client = clientOf('1.36');
const indexed = { completionMode: 'Indexed', completions: 5 };
const rule = (fields: object): object => ({ ...indexed, successPolicy: { rules: [fields] } });

describe('jobs of later releases', () => {
  it('the number of failures of a whole job is not bounded where that of each index is', () => {
    const limitOf = (spec: object): unknown => getPath(stored(client, spec), 'spec.backoffLimit');
    assert.equal(limitOf({ ...indexed, backoffLimitPerIndex: 1 }), 2_147_483_647);
    assert.equal(limitOf({ ...indexed, backoffLimitPerIndex: 1, backoffLimit: 3 }), 3);
    assert.equal(limitOf(indexed), 6);
  });

  it('a rule about failures shows only what it matches since 1.28', () => {
    const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'A', status: 'True' }] }];
    assert.deepEqual(getPath(stored(client, { podFailurePolicy: { rules } }), 'spec.podFailurePolicy'), {
      rules,
    });
    const codes = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }];
    assert.deepEqual(
      getPath(stored(client, { podFailurePolicy: { rules: codes } }), 'spec.podFailurePolicy'),
      {
        rules: codes,
      },
    );
  });

  for (const [title, spec, expected] of [
    ['may bound the failures of an index', { ...indexed, backoffLimitPerIndex: 0, maxFailedIndexes: 5 }, []],
    [
      'bound failed indexes only beside those of an index',
      { ...indexed, maxFailedIndexes: 1 },
      ['FieldValueRequired spec.backoffLimitPerIndex'],
    ],
    ['have no empty completion mode', { completionMode: '' }, ['FieldValueNotSupported spec.completionMode']],
    [
      'bound the failures of an index only when they are Indexed',
      { backoffLimitPerIndex: 1 },
      ['FieldValueInvalid spec.backoffLimitPerIndex'],
    ],
    [
      'have no more failed indexes than completions',
      { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 6 },
      ['FieldValueInvalid spec.maxFailedIndexes'],
    ],
    [
      'with many completions bound the failed indexes',
      { completionMode: 'Indexed', completions: 100_001, backoffLimitPerIndex: 1 },
      ['FieldValueRequired spec.maxFailedIndexes'],
    ],
    ['may succeed with some indexes', rule({ succeededIndexes: '0,2-3', succeededCount: 3 }), []],
    [
      'succeed with indexes only when they are Indexed',
      { successPolicy: { rules: [{ succeededCount: 1 }] } },
      ['FieldValueInvalid spec.successPolicy'],
    ],
    ['have no empty rule', rule({}), ['FieldValueRequired spec.successPolicy.rules[0]']],
    [
      'have rules',
      { ...indexed, successPolicy: { rules: [] } },
      ['FieldValueRequired spec.successPolicy.rules'],
    ],
    [
      'name indexes in rising order',
      rule({ succeededIndexes: '3,1' }),
      ['FieldValueInvalid spec.successPolicy.rules[0].succeededIndexes'],
    ],
    [
      'name indexes below the completions',
      rule({ succeededIndexes: '5' }),
      ['FieldValueInvalid spec.successPolicy.rules[0].succeededIndexes'],
    ],
    [
      'count no more indexes than a rule names',
      rule({ succeededIndexes: '0-1', succeededCount: 3 }),
      ['FieldValueInvalid spec.successPolicy.rules[0].succeededCount'],
    ],
    ['may name their controller', { managedBy: 'example.com/queue' }, []],
    ['name their controller with a domain', { managedBy: 'queue' }, ['FieldValueInvalid spec.managedBy']],
    [
      'with a failure policy replace pods that have failed',
      {
        podReplacementPolicy: 'TerminatingOrFailed',
        podFailurePolicy: {
          rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }],
        },
      },
      ['FieldValueNotSupported spec.podReplacementPolicy'],
    ],
    [
      'fail an index only with a bound of its failures',
      {
        podFailurePolicy: {
          rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }],
        },
      },
      ['FieldValueInvalid spec.podFailurePolicy.rules[0].action'],
    ],
  ] as const)
    it(`jobs of later releases ${title}`, () => assert.deepEqual(causes(client.create(spec)), expected));

  it('the default of podReplacementPolicy follows the failure policy, from the release on that has the field', () => {
    const policy = {
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
    };
    const replacement = (release: string, spec: object): unknown =>
      getPath(clientOf(release).create(spec).object, 'spec.podReplacementPolicy');
    assert.deepEqual(
      [replacement('1.28', {}), replacement('1.29', {}), replacement('1.29', policy)],
      [undefined, 'TerminatingOrFailed', 'Failed'],
    );
  });

  it('the controller, the success policy and the bound of an index do not change', () => {
    const old = stored(client, { ...rule({ succeededCount: 1 }), managedBy: 'example.com/a' });
    assert.deepEqual(
      causes(
        client.update(old, {
          'spec.managedBy': 'example.com/b',
          'spec.successPolicy.rules': [{ succeededCount: 2 }],
          'spec.backoffLimitPerIndex': 1,
        }),
      ),
      ['backoffLimitPerIndex', 'managedBy', 'successPolicy'].map(
        (field) => `FieldValueInvalid spec.${field}`,
      ),
    );
  });
});

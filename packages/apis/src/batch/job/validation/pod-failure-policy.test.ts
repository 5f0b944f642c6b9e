import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getPath } from '../../../testing/set-path.ts';
import { causes } from '../../../testing/writes.ts';
import { clientOf, stored, template } from '../testing/job-client.ts';

describe('rules about pods that fail', () => {
  const client = clientOf('1.27');
  const rule = (fields: object, spec: object = {}): readonly string[] =>
    causes(client.create({ podFailurePolicy: { rules: [{ action: 'FailJob', ...fields }] }, ...spec })).map(
      (cause) => cause.replace('spec.podFailurePolicy.rules[0]', 'rule'),
    );
  const codes = (fields: object): object => ({ onExitCodes: { operator: 'In', values: [1], ...fields } });
  const restarting = (restartPolicy: string): object => ({
    template: { spec: { ...template.spec, restartPolicy } },
  });
  const onFailure = restarting('OnFailure');

  for (const [title, errors, expected] of [
    ['speak of exit codes', rule(codes({})), []],
    ['speak of one container', rule(codes({ containerName: 'c' })), []],
    [
      'know the containers',
      rule(codes({ containerName: 'd' })),
      ['FieldValueInvalid rule.onExitCodes.containerName'],
    ],
    ['speak of conditions', rule({ onPodConditions: [{ type: 'DisruptionTarget' }] }), []],
    [
      'speak of one thing',
      rule({ ...codes({}), onPodConditions: [{ type: 'A' }] }),
      ['FieldValueInvalid rule'],
    ],
    ['speak of something', rule({}), ['FieldValueInvalid rule']],
    ['name an action', rule({ ...codes({}), action: '' }), ['FieldValueRequired rule.action']],
    ['know the actions', rule({ ...codes({}), action: 'Retry' }), ['FieldValueNotSupported rule.action']],
    ['have codes', rule(codes({ values: [] })), ['FieldValueInvalid rule.onExitCodes.values']],
    [
      'do not take success for failure',
      rule(codes({ values: [0, 1] })),
      ['FieldValueInvalid rule.onExitCodes.values[0]'],
    ],
    ['may leave success out', rule(codes({ operator: 'NotIn', values: [0, 1] })), []],
    [
      'have codes in order, each once',
      rule(codes({ values: [2, 1, 1] })),
      ['FieldValueDuplicate rule.onExitCodes.values[2]', 'FieldValueInvalid rule.onExitCodes.values'],
    ],
    [
      'have not too many codes',
      rule(codes({ values: Array.from({ length: 256 }, (_, i) => i + 1) })),
      ['FieldValueTooMany rule.onExitCodes.values'],
    ],
    [
      'know the operators',
      rule(codes({ operator: 'Is' })),
      ['FieldValueNotSupported rule.onExitCodes.operator'],
    ],
    [
      'have conditions with a type and a known status',
      rule({ onPodConditions: [{ status: 'Maybe' }] }),
      [
        'FieldValueRequired rule.onPodConditions[0].type',
        'FieldValueNotSupported rule.onPodConditions[0].status',
      ],
    ],
    [
      'need pods that nothing else starts again',
      rule(codes({}), onFailure),
      ['FieldValueInvalid spec.template.spec.restartPolicy'],
    ],
    [
      'are not blamed for pods that always start again, which no job has',
      rule(codes({}), restarting('Always')),
      ['FieldValueRequired spec.template.spec.restartPolicy'],
    ],
    [
      'are not blamed for an unknown way to start again',
      rule(codes({}), restarting('x')),
      [
        'FieldValueNotSupported spec.template.spec.restartPolicy',
        'FieldValueNotSupported spec.template.spec.restartPolicy',
      ],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(errors, expected));
  }

  it('pod failure policies have at most twenty rules, whose conditions have a default status', () => {
    const many = Array.from({ length: 21 }, () => ({ action: 'Count', ...codes({}) }));
    assert.deepEqual(causes(client.create({ podFailurePolicy: { rules: many } })), [
      'FieldValueTooMany spec.podFailurePolicy.rules',
    ]);
    const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'A' }] }];
    assert.deepEqual(getPath(stored(client, { podFailurePolicy: { rules } }), 'spec.podFailurePolicy'), {
      rules: [{ action: 'Ignore', onExitCodes: null, onPodConditions: [{ type: 'A', status: 'True' }] }],
    });
  });

  it('rules about pods that fail do not change, and are not there before 1.26', () => {
    const policy = { rules: [{ action: 'Count', ...codes({}) }] };
    const job = stored(client, { podFailurePolicy: policy });
    assert.deepEqual(causes(client.update(job, { 'spec.podFailurePolicy': undefined })), [
      'FieldValueInvalid spec.podFailurePolicy',
    ]);
    const older = stored(clientOf('1.25'), { podFailurePolicy: policy });
    assert.equal(getPath(older, 'spec.podFailurePolicy'), undefined);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writePath } from '../../../testing/write-path.ts';
import { causes, edited } from '../../../testing/writes.ts';
import { cronJobs } from '../../cron-job/index.ts';
import { jobs } from '../index.ts';

const open = writePath(undefined, '1.37', { openGates: new Set(['WorkloadWithJob']) });
const closed = writePath(undefined, '1.37');

const spec = (scheduling?: object): object => ({
  parallelism: 2,
  ...(scheduling === undefined ? {} : { scheduling }),
  template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
});
const job = (scheduling?: object): object => ({
  metadata: { name: 'j', uid: 'cc1b04a4-1a54-4d2f-a1b1-7c1b6b0a5a5a' },
  spec: spec(scheduling),
});
const cronJob = (scheduling?: object): object => ({
  metadata: { name: 'c' },
  spec: { schedule: '* * * * *', jobTemplate: { spec: spec(scheduling) } },
});
const gang = (minCount?: number): object => ({
  schedulingPolicy: { gang: minCount === undefined ? {} : { minCount } },
});
const basic = { schedulingPolicy: { basic: {} } };
const claims = (...resourceClaims: object[]): object => ({ resourceClaims });
const topology = (...keys: string[]): object => ({
  schedulingConstraints: { topology: keys.map((key) => ({ key })) },
});
const at = 'spec.scheduling';

describe('scheduling of the pods of jobs', () => {
  for (const [title, scheduling, ...expected] of [
    ['nothing', {}],
    ['a gang of all pods', gang()],
    ['a gang of some pods', gang(2)],
    ['a larger gang than pods may run', gang(3), `FieldValueInvalid ${at}.schedulingPolicy.gang.minCount`],
    ['a gang of none', gang(0), `FieldValueInvalid ${at}.schedulingPolicy.gang.minCount`],
    ['no policy', { schedulingPolicy: {} }, `FieldValueInvalid ${at}.schedulingPolicy`],
    [
      'two policies',
      { schedulingPolicy: { basic: {}, gang: {} } },
      `FieldValueInvalid ${at}.schedulingPolicy`,
    ],
    ['a common domain', topology('example.com/rack')],
    [
      'a domain that is no label',
      topology('a b'),
      `FieldValueInvalid ${at}.schedulingConstraints.topology[0].key`,
    ],
    ['two domains', topology('a', 'b'), `FieldValueTooMany ${at}.schedulingConstraints.topology`],
    ['no mode', { disruptionMode: {} }, `FieldValueInvalid ${at}.disruptionMode`],
    [
      'a common disruption of pods that are scheduled one by one',
      { disruptionMode: { all: {} } },
      `FieldValueInvalid ${at}.disruptionMode`,
    ],
    ['a common disruption of a gang', { ...gang(), disruptionMode: { all: {} } }],
    ['an existing claim', claims({ name: 'a', resourceClaimName: 'b' })],
    ['a claim of unknown origin', claims({ name: 'a' }), `FieldValueInvalid ${at}.resourceClaims[0]`],
    [
      'a claim without a valid name',
      claims({ name: 'A', resourceClaimTemplateName: 'b' }),
      `FieldValueInvalid ${at}.resourceClaims[0].name`,
    ],
  ] as const)
    it(`a job whose pods are scheduled with ${title} has the errors of the reference`, () => {
      assert.deepEqual(causes(open.create(jobs, job(scheduling))), expected);
      const inTemplate = expected.map((error) => error.replace(at, 'spec.jobTemplate.spec.scheduling'));
      assert.deepEqual(causes(open.create(cronJobs, cronJob(scheduling))), inTemplate);
    });

  const everything = {
    ...gang(1),
    ...topology('a'),
    disruptionMode: { all: {} },
    ...claims({ name: 'a', resourceClaimName: 'b' }),
  };
  for (const [title, before, after, ...expected] of [
    ['another number of a gang', gang(1), gang(2)],
    [
      'the number of a gang that pods may not reach',
      gang(1),
      gang(5),
      `${at}.schedulingPolicy.gang.minCount`,
    ],
    ['another policy', gang(1), basic, `${at}.schedulingPolicy`],
    ['no policy any more', gang(1), {}, `${at}.schedulingPolicy`],
    ['a policy where there was none', {}, basic, `${at}.schedulingPolicy`],
    ['no scheduling any more', gang(1), undefined, at],
    ['scheduling where there was none', undefined, gang(1), at],
    [
      'nothing but the policy',
      everything,
      gang(1),
      `${at}.disruptionMode`,
      `${at}.resourceClaims`,
      `${at}.schedulingConstraints`,
    ],
  ] as const)
    it(`an update of a job to ${title} is refused where the reference refuses it`, () => {
      const { object } = open.create(jobs, job(before));
      const written = open.update(jobs, object, edited(object, { 'spec.scheduling': after }));
      const errors = expected.map((field) => `FieldValueInvalid ${field}`);
      assert.deepEqual(causes(written).toSorted(), errors);
    });

  it('a template of jobs may get another policy, but loses none', () => {
    const { object } = open.create(cronJobs, cronJob(gang(1)));
    const field = 'spec.jobTemplate.spec.scheduling';
    assert.deepEqual(causes(open.update(cronJobs, object, edited(object, { [field]: basic }))), []);
    assert.deepEqual(causes(open.update(cronJobs, object, edited(object, { [field]: undefined }))), [
      `FieldValueInvalid ${field}`,
    ]);
  });

  it('the scheduling of pods is dropped while its gate is closed', () => {
    const { object, errors } = closed.create(jobs, job(gang(9)));
    assert.deepEqual(errors, []);
    assert.doesNotMatch(JSON.stringify(object), /scheduling"/);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writePath } from '../../../testing/write-path.ts';
import { jobs } from '../index.ts';

type Fields = Readonly<Record<string, unknown>>;

const template = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } };
const indexed = { completionMode: 'Indexed', completions: 5, parallelism: 2, backoffLimitPerIndex: 1 };
const condition = (...types: string[]): object[] => types.map((type) => ({ type, status: 'True' }));
const [early, late] = ['2024-05-06T07:00:00Z', '2024-05-06T08:00:00Z'];
const complete = {
  startTime: early,
  completionTime: late,
  conditions: condition('SuccessCriteriaMet', 'Complete'),
};

/** Spec, status before and after, and the errors of the change at 1.37. */
const rows: readonly (readonly [
  title: string,
  spec: Fields,
  before: Fields,
  after: Fields,
  errors: readonly string[],
])[] = [
  ['a job that has started and is complete ends', {}, { startTime: early }, complete, []],
  [
    'the end of a job is announced',
    {},
    { startTime: early },
    { startTime: early, completionTime: late, conditions: condition('Complete') },
    ['Invalid status.conditions'],
  ],
  [
    'a job does not succeed and fail',
    {},
    { startTime: early },
    { startTime: early, conditions: condition('SuccessCriteriaMet', 'FailureTarget') },
    ['Invalid status.conditions'],
  ],
  [
    'the end of a job stays',
    {},
    complete,
    { ...complete, conditions: [] },
    ['Invalid status.conditions', 'Invalid status.completionTime'],
  ],
  [
    'a job that has ended has no pods and a start',
    {},
    {},
    {
      conditions: condition('FailureTarget', 'Failed'),
      active: 1,
      terminating: 1,
      uncountedTerminatedPods: { failed: ['a'] },
    },
    [
      'Invalid status.active',
      'Invalid status.terminating',
      'Required status.startTime',
      'Invalid status.uncountedTerminatedPods',
    ],
  ],
  [
    'a job that is not complete has no time of its end',
    {},
    {},
    { completionTime: late },
    ['Invalid status.completionTime'],
  ],
  [
    'a job is complete after its start',
    {},
    {},
    { ...complete, startTime: late, completionTime: early },
    ['Invalid status.completionTime'],
  ],
  [
    'the start of a job that runs stays',
    {},
    { startTime: early },
    { startTime: late },
    ['Invalid status.startTime'],
  ],
  ['the start of a suspended job may change', { suspend: true }, { startTime: early }, {}, []],
  ['numbers of completions are in order', indexed, {}, { completedIndexes: '0,2-4' }, []],
  ...['4,2', '0-0', '0-1-2', 'a', '5', ','].map(
    (indexes) =>
      [
        `numbers of completions are not ${indexes}`,
        indexed,
        {},
        { completedIndexes: indexes },
        ['Invalid status.completedIndexes'],
      ] as const,
  ),
  [
    'no number succeeds and fails',
    indexed,
    {},
    { completedIndexes: '0,2-4', failedIndexes: '1,3' },
    ['Invalid status.failedIndexes'],
  ],
  [
    'only jobs with numbers have completed ones',
    {},
    {},
    { completedIndexes: '0', failedIndexes: '' },
    ['Invalid status.completedIndexes', 'Invalid status.failedIndexes'],
  ],
  [
    'counters do not decrease',
    {},
    { succeeded: 1, failed: 1 },
    { ready: 1 },
    ['Invalid status.failed', 'Invalid status.ready', 'Invalid status.succeeded'],
  ],
  [
    'a pod is counted once',
    {},
    {},
    { uncountedTerminatedPods: { succeeded: ['a', ''], failed: ['a'] } },
    [
      'Invalid status.uncountedTerminatedPods.succeeded[1]',
      'Duplicate status.uncountedTerminatedPods.failed[0]',
    ],
  ],
];

function errorsIn(release: string, spec: Fields, before: Fields, after: Fields): readonly string[] {
  const path = writePath(undefined, release as '1.37');
  const { object, errors } = path.create(jobs, { metadata: { name: 'x' }, spec: { template, ...spec } });
  assert.deepEqual(errors, []);
  const stored = { ...object, status: before };
  const next = { ...path.show(jobs, object), status: after };
  return path
    .update(jobs, stored, next, 'status')
    .errors.map(({ type, field }) => `${type.replace('FieldValue', '')} ${field}`);
}

describe('the status of a job', () => {
  for (const [title, spec, before, after, errors] of rows)
    it(`${title} in release 1.37`, () => {
      const found = new Set(errorsIn('1.37', spec, before, after));
      assert.deepEqual([...found].toSorted(), errors.toSorted());
    });

  it('the status of a job may be inconsistent before 1.32, when only the controller of the cluster writes it', () => {
    assert.deepEqual(errorsIn('1.31', {}, complete, { completionTime: early, ready: 1 }), []);
  });
});

describe('the template of a job', () => {
  const changed = (release: string, status: Fields, change: object): readonly string[] => {
    const path = writePath(undefined, release as '1.37');
    const spec = { template, suspend: true };
    const { object } = path.create(jobs, { metadata: { name: 'x' }, spec });
    const stored = { ...object, status };
    const next = JSON.parse(JSON.stringify(path.show(jobs, stored)));
    Object.assign(next.spec.template.spec.containers[0], change);
    return path.update(jobs, stored, next).errors.map(({ field }) => field);
  };
  const resources = { requests: { cpu: '1' } };
  const held = { startTime: early, conditions: condition('Suspended') };

  it('the template may get other resources while the job is suspended and has no pods, from 1.36 on', () => {
    assert.deepEqual(changed('1.35', {}, { resources }), ['spec.template']);
    assert.deepEqual(changed('1.36', {}, { resources }), []);
    assert.deepEqual(changed('1.36', held, { resources }), []);
    assert.deepEqual(changed('1.36', { ...held, active: 1 }, { resources }), ['spec.template']);
    assert.deepEqual(changed('1.36', held, { image: 'j' }), ['spec.template.spec']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, type ApiObject, namesFor } from '@orch/machinery';
import { specOf } from '@orch/machinery/json';
import { codecCompiler } from '@orch/schema';
import type { ResourceType } from '../resource-type.ts';
import { writePath } from '../testing/write-path.ts';
import { localSubjectAccessReviews } from './local-subject-access-review.ts';
import { selfSubjectAccessReviews } from './self-subject-access-review.ts';
import { selfSubjectRulesReviews } from './self-subject-rules-review.ts';
import { subjectAccessReviews } from './subject-access-review.ts';

const names = namesFor('orch');
const compiler = codecCompiler(names);
const newest = writePath(names, '1.37');
const before = writePath(names, '1.36');

/** The steps of a review handler before its response. */
function problems(type: ResourceType, input: unknown, { context } = newest): readonly string[] {
  const [hub] = type.versions;
  assert.ok(hub);
  const { value, problems: wrong } = compiler.compile(hub.schema).decode(input, { defaults: true });
  assert.deepEqual(wrong, []);
  type.strategy.prepareForCreate?.(value, context);
  const errors = type.strategy.validate?.(value, undefined, context) ?? [];
  return errors.map(({ type: cause, field }) => `${cause} ${field}`);
}

const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'm' };
const nonResourceAttributes = { path: '/', verb: 'get' };

describe('access reviews', () => {
  for (const [type, input, ...errors] of [
    [subjectAccessReviews, { spec: { user: 'u', resourceAttributes } }],
    [subjectAccessReviews, { spec: { groups: ['g'], nonResourceAttributes } }],
    [subjectAccessReviews, { spec: { resourceAttributes } }, 'FieldValueInvalid spec.user'],
    [subjectAccessReviews, { spec: { user: 'u' } }, 'FieldValueInvalid spec'],
    [
      subjectAccessReviews,
      { spec: { user: 'u', resourceAttributes, nonResourceAttributes } },
      'FieldValueInvalid spec',
    ],
    [
      subjectAccessReviews,
      { metadata: { name: 'x' }, spec: { user: 'u', resourceAttributes } },
      'FieldValueInvalid metadata',
    ],
    [selfSubjectAccessReviews, { spec: { resourceAttributes } }],
    [selfSubjectAccessReviews, { spec: {} }, 'FieldValueInvalid spec'],
    [
      selfSubjectAccessReviews,
      { metadata: { labels: { a: 'b' } }, spec: { resourceAttributes } },
      'FieldValueInvalid metadata',
    ],
    [localSubjectAccessReviews, { metadata: { namespace: 'm' }, spec: { user: 'u', resourceAttributes } }],
    [
      localSubjectAccessReviews,
      { metadata: { namespace: 'n' }, spec: { user: 'u', resourceAttributes } },
      'FieldValueInvalid spec.resourceAttributes.namespace',
    ],
    [
      localSubjectAccessReviews,
      { metadata: { namespace: 'm' }, spec: { user: 'u', nonResourceAttributes } },
      'FieldValueInvalid spec.nonResourceAttributes',
    ],
    [
      localSubjectAccessReviews,
      { metadata: { namespace: 'm', name: 'x' }, spec: { user: 'u', resourceAttributes } },
      'FieldValueInvalid metadata',
    ],
    [selfSubjectRulesReviews, { spec: { namespace: 'm' } }],
  ] as const) {
    it(`access reviews: ${type.kind} ${JSON.stringify(input)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(problems(type, input), errors));
  }

  it('before 1.37, a review without one kind of request is an error about one of the two', () => {
    const both = { spec: { user: 'u', resourceAttributes, nonResourceAttributes } };
    const fields = [{ spec: { user: 'u' } }, both].map((input) =>
      problems(subjectAccessReviews, input, before),
    );
    assert.deepEqual(fields, [
      ['FieldValueInvalid spec.resourceAttributes'],
      ['FieldValueInvalid spec.nonResourceAttributes'],
    ]);
  });

  it('access reviews of rules need a namespace', () =>
    assert.throws(
      () => problems(selfSubjectRulesReviews, { spec: {} }),
      (error) => error instanceof ApiError && error.status.code === 400,
    ));

  it('access reviews are created, and nothing else', () => {
    for (const type of [
      subjectAccessReviews,
      selfSubjectAccessReviews,
      localSubjectAccessReviews,
      selfSubjectRulesReviews,
    ])
      assert.deepEqual([type.virtual, type.verbs], [true, ['create']]);
  });
});

describe('access reviews of the older version', () => {
  const older = subjectAccessReviews.versions.find(({ version }) => version === 'v1beta1');
  const object = (spec: unknown): ApiObject => ({ metadata: {}, spec }) as unknown as ApiObject;

  it('access reviews of the older version have the field group for groups', () => {
    const review = object({ user: 'u', group: ['g'] });
    older?.lens?.toHub(review, { names, root: review });
    assert.deepEqual(specOf(review), { user: 'u', groups: ['g'] });
    older?.lens?.fromHub(review, { names, root: review });
    assert.deepEqual(specOf(review), { user: 'u', group: ['g'] });
  });
});

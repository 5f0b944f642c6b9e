import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { codecCompiler } from '@orch/schema';
import { SelfSubjectAccessReviewSpec } from './access-review.ts';

const codec = codecCompiler(namesFor('orch')).compile(SelfSubjectAccessReviewSpec);

/** Types and fields of the errors of a review with a requirement. */
function problems(selector: 'fieldSelector' | 'labelSelector', requirement: object): readonly string[] {
  const spec = { resourceAttributes: { [selector]: { requirements: [requirement] } } };
  const { value } = codec.decode(spec, { defaults: true });
  return codec
    .validate(value)
    .map(
      ({ type, field }) => `${type} ${field.replace(/^resourceAttributes\.\w+\.requirements\[0\]\./, '')}`,
    );
}

describe('requirements in access reviews', () => {
  for (const [selector, requirement, ...expected] of [
    ['labelSelector', { key: 'a', operator: 'In' }, 'FieldValueRequired values'],
    ['labelSelector', { key: '-', operator: 'Exists' }, 'FieldValueInvalid key'],
    ['fieldSelector', { key: 'a', operator: 'New' }],
    ['fieldSelector', { key: 'a', operator: 'In', values: ['b'] }],
    ['fieldSelector', { operator: 'NotIn' }, 'FieldValueRequired key', 'FieldValueRequired values'],
    ['fieldSelector', { key: 'a', operator: 'Exists', values: ['b'] }, 'FieldValueForbidden values'],
  ] as const)
    it(`a ${selector} with ${JSON.stringify(requirement)} has ${expected.length} errors`, () =>
      assert.deepEqual(problems(selector, requirement), expected));
});

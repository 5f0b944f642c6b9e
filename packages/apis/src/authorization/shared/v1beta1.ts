import { type Lens, move, within } from '@orch/schema';
import { reviewOf, SubjectAccessReviewStatus, subjectAccessReviewSpecOf } from './access-review.ts';

const aboutAnybody = {
  spec: subjectAccessReviewSpecOf('v1beta1', 'group'),
  status: SubjectAccessReviewStatus,
};

export const subjectAccessReviewV1Beta1 = reviewOf(
  'v1beta1.SubjectAccessReview',
  'Checks whether a user may perform an action. Never stored.',
  aboutAnybody,
);

export const localSubjectAccessReviewV1Beta1 = reviewOf(
  'v1beta1.LocalSubjectAccessReview',
  'Checks whether a user may perform an action in one namespace. Never stored.',
  aboutAnybody,
);

/** `groups` of users was called `group` (spec 9.4). */
export const groupsLens: Lens = within('spec', move('group', 'groups'));

import { reviewOf } from './shared/access-review.ts';
import { aboutAnybody, older, review } from './shared/reviews.ts';
import { groupsLens, subjectAccessReviewV1Beta1 } from './shared/v1beta1.ts';
import { validateReview } from './shared/validation.ts';

export const SubjectAccessReview = reviewOf(
  'v1.SubjectAccessReview',
  'Checks whether a user may perform an action. Never stored.',
  aboutAnybody,
);

export const subjectAccessReviews = review(
  'SubjectAccessReview',
  [
    { version: 'v1', introduced: '1.6', schema: SubjectAccessReview },
    { ...older, schema: subjectAccessReviewV1Beta1, lens: groupsLens },
  ],
  { validate: validateReview },
);

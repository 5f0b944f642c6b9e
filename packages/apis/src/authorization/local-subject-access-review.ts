import { reviewOf } from './shared/access-review.ts';
import { aboutAnybody, older, review } from './shared/reviews.ts';
import { groupsLens, localSubjectAccessReviewV1Beta1 } from './shared/v1beta1.ts';
import { validateLocalReview } from './shared/validation.ts';

export const LocalSubjectAccessReview = reviewOf(
  'v1.LocalSubjectAccessReview',
  'Checks whether a user may perform an action in one namespace. Never stored.',
  aboutAnybody,
);

export const localSubjectAccessReviews = review(
  'LocalSubjectAccessReview',
  [
    { version: 'v1', introduced: '1.6', schema: LocalSubjectAccessReview },
    { ...older, schema: localSubjectAccessReviewV1Beta1, lens: groupsLens },
  ],
  { validate: validateLocalReview },
);

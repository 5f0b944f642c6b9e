import { reviewOf, SelfSubjectAccessReviewSpec, SubjectAccessReviewStatus } from './shared/access-review.ts';
import { older, review } from './shared/reviews.ts';
import { validateSelfReview } from './shared/validation.ts';

export const SelfSubjectAccessReview = reviewOf(
  'v1.SelfSubjectAccessReview',
  'Checks whether the requesting user may perform an action. Never stored.',
  { spec: SelfSubjectAccessReviewSpec, status: SubjectAccessReviewStatus },
);

export const selfSubjectAccessReviews = review(
  'SelfSubjectAccessReview',
  [
    { version: 'v1', introduced: '1.6', schema: SelfSubjectAccessReview },
    { ...older, schema: SelfSubjectAccessReview },
  ],
  { validate: validateSelfReview },
);

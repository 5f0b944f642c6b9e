import type { ResourceType } from '../resource-type.ts';
import { localSubjectAccessReviews } from './local-subject-access-review.ts';
import { selfSubjectAccessReviews } from './self-subject-access-review.ts';
import { selfSubjectRulesReviews } from './self-subject-rules-review.ts';
import { subjectAccessReviews } from './subject-access-review.ts';

export const authorizationTypes: readonly ResourceType[] = [
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
];

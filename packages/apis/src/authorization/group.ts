import type { ResourceType } from '../resource-type.ts';
import {
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
} from './shared/reviews.ts';

export const authorizationTypes: readonly ResourceType[] = [
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
];

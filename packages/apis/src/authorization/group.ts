import type { GroupDeclaration } from '../group-declaration.ts';
import { localSubjectAccessReviews } from './local-subject-access-review.ts';
import { selfSubjectAccessReviews } from './self-subject-access-review.ts';
import { selfSubjectRulesReviews } from './self-subject-rules-review.ts';
import { subjectAccessReviews } from './subject-access-review.ts';

export const authorizationGroup: GroupDeclaration = {
  key: 'authorization',
  priority: 17_600,
  versionPriorities: { v1: 15, v1beta1: 9 },
  types: [localSubjectAccessReviews, selfSubjectAccessReviews, selfSubjectRulesReviews, subjectAccessReviews],
};

import type { GroupDeclaration } from '../group-declaration.ts';
import { kindOf } from '../kind-declaration.ts';
import { selfSubjectReviews } from './self-subject-review.ts';
import { TokenRequest } from './token-request.ts';
import { tokenReviews } from './token-review.ts';

export const authenticationGroup: GroupDeclaration = {
  key: 'authentication',
  priority: 17_700,
  versionPriorities: { v1: 15, v1beta1: 9, v1alpha1: 1 },
  types: [selfSubjectReviews, tokenReviews],
  kinds: [kindOf('authentication', 'v1', TokenRequest)],
};

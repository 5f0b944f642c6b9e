import { type KindDeclaration, kindOf } from '../kind-declaration.ts';
import type { ResourceType } from '../resource-type.ts';
import { selfSubjectReviews } from './self-subject-review.ts';
import { TokenRequest } from './token-request.ts';
import { tokenReviews } from './token-review.ts';

/** The resources of the group, in discovery order. */
export const authenticationTypes: readonly ResourceType[] = [selfSubjectReviews, tokenReviews];

/** Bodies of subresources. */
export const authenticationKinds: readonly KindDeclaration[] = [kindOf('authentication', 'v1', TokenRequest)];

import type { ResourceType } from '../resource-type.ts';
import { selfSubjectReviews } from './self-subject-review.ts';
import { tokenReviews } from './token-review.ts';

export const authenticationTypes: readonly ResourceType[] = [selfSubjectReviews, tokenReviews];

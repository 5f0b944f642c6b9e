import type { ResourceType } from '../resource-type.ts';
import { tokenReviews } from './v1/token-review.ts';
import { selfSubjectReviews } from './v1beta1/self-subject-review.ts';

export const authenticationTypes: readonly ResourceType[] = [selfSubjectReviews, tokenReviews];

import type { Authenticator, Authorizer, RbacPolicy } from '@orch/auth';
import type { Names } from '@orch/machinery';
import type { VirtualResources } from '../../resource/virtual-resource.ts';
import { reviewResource } from '../review-resource.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
} from './access-reviews.ts';
import { selfSubjectReview, tokenReview } from './identity-reviews.ts';

/** Who knows users, and what they may do. */
export interface Access {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** What roles grant: nobody can grant more than he has. Nobody has anything when absent. */
  readonly policy?: RbacPolicy;
}

/** The reviews: questions about users and permissions, answered by those who decide on requests. */
export const reviewResources = ({ authenticator, authorizer }: Access, names: Names): VirtualResources => ({
  'authorization/subjectaccessreviews': reviewResource(subjectAccessReview(authorizer)),
  'authorization/localsubjectaccessreviews': reviewResource(localSubjectAccessReview(authorizer)),
  'authorization/selfsubjectaccessreviews': reviewResource(selfSubjectAccessReview(authorizer)),
  'authorization/selfsubjectrulesreviews': reviewResource(selfSubjectRulesReview(authorizer)),
  'authentication/tokenreviews': reviewResource(tokenReview(authenticator, names)),
  'authentication/selfsubjectreviews': reviewResource(selfSubjectReview),
});

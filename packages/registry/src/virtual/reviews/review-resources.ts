import type { Authenticator, Authorizer, RbacPolicy } from '@orch/auth';
import type { Names } from '@orch/machinery';
import type { VirtualResources } from '../../context/virtual-resource.ts';
import { reviewResource } from '../review-resource.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
} from './access-reviews.ts';
import { selfSubjectReview, tokenReview } from './identity-reviews.ts';

/** Authentication and authorization. */
export interface Access {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Permissions that roles grant, for the escalation check; users have no permissions when absent. */
  readonly policy?: RbacPolicy;
}

/** The reviews of users and permissions, completed by the authenticator and the authorizer of requests. */
export const reviewResources = ({ authenticator, authorizer }: Access, names: Names): VirtualResources => ({
  'authorization/subjectaccessreviews': reviewResource(subjectAccessReview(authorizer)),
  'authorization/localsubjectaccessreviews': reviewResource(localSubjectAccessReview(authorizer)),
  'authorization/selfsubjectaccessreviews': reviewResource(selfSubjectAccessReview(authorizer)),
  'authorization/selfsubjectrulesreviews': reviewResource(selfSubjectRulesReview(authorizer)),
  'authentication/tokenreviews': reviewResource(tokenReview(authenticator, names)),
  'authentication/selfsubjectreviews': reviewResource(selfSubjectReview),
});

// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

/** Fields that limit a request. */
export interface FieldSelectorAttributes {
  /** The selector as text, in place of requirements. */
  rawSelector?: string;
  /** Conditions, all of which hold. */
  requirements?: meta.FieldSelectorRequirement[];
}

/** Labels that limit a request. */
export interface LabelSelectorAttributes {
  /** The selector as text, in place of requirements. */
  rawSelector?: string;
  /** Conditions, all of which hold. */
  requirements?: meta.LabelSelectorRequirement[];
}

/** Checks whether a user may perform an action in one namespace. Never stored. */
export type LocalSubjectAccessReview = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Request of the review. */
  spec: SubjectAccessReviewSpec;
  /** Result of the review. */
  status?: SubjectAccessReviewStatus;
};

/** Checks whether a user may perform an action in one namespace. Never stored. */
export type LocalSubjectAccessReviewV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Request of the review. */
  spec: SubjectAccessReviewSpecV1beta1;
  /** Result of the review. */
  status?: SubjectAccessReviewStatus;
};

/** Path and verb of the request. */
export interface NonResourceAttributes {
  /** Path of the request. */
  path?: string;
  /** Method of the request in lower case. */
  verb?: string;
}

/** Actions on paths that are not resources. */
export interface NonResourceRule {
  /** Allowed verbs; `*` is every verb. */
  verbs: string[] | null;
  /** Paths; a final `*` stands for any rest. */
  nonResourceURLs?: string[];
}

/** A request for a resource. */
export interface ResourceAttributes {
  /** Namespace of the request; empty for cluster-scoped resources, and for all namespaces. */
  namespace?: string;
  /** get, list, watch, create, update, patch, delete, or `*` for all. */
  verb?: string;
  /** Group of the resource; `*` for all. */
  group?: string;
  /** Version of the resource; `*` for all. */
  version?: string;
  /** Name of the resource; `*` for all. */
  resource?: string;
  /** Subresource, if any. */
  subresource?: string;
  /** Name of the object; empty for all. */
  name?: string;
  /** Fields that limit the request. */
  fieldSelector?: FieldSelectorAttributes;
  /** Labels that limit the request. */
  labelSelector?: LabelSelectorAttributes;
}

/** Actions on resources. */
export interface ResourceRule {
  /** Allowed verbs; `*` is every verb. */
  verbs: string[] | null;
  /** Groups of the resources; `*` is every group. */
  apiGroups?: string[];
  /** Resources; `*` is every resource, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Names of the objects; all when empty. */
  resourceNames?: string[];
}

/** Checks whether the requesting user may perform an action. Never stored. */
export type SelfSubjectAccessReview = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Request of the review. */
  spec: SelfSubjectAccessReviewSpec;
  /** Result of the review. */
  status?: SubjectAccessReviewStatus;
};

/** The request of the requesting user to check. */
export interface SelfSubjectAccessReviewSpec {
  /** A request for a resource; this or nonResourceAttributes. */
  resourceAttributes?: ResourceAttributes;
  /** A request for a path that is not a resource. */
  nonResourceAttributes?: NonResourceAttributes;
}

/** Lists the actions that the requesting user may perform in a namespace. Never stored; to authorize one request, use an access review. */
export type SelfSubjectRulesReview = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Request of the review. */
  spec: SelfSubjectRulesReviewSpec;
  /** Result of the review. */
  status?: SubjectRulesReviewStatus;
};

/** Namespace of the review. */
export interface SelfSubjectRulesReviewSpec {
  /** The namespace. */
  namespace?: string;
}

/** Checks whether a user may perform an action. Never stored. */
export type SubjectAccessReview = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Request of the review. */
  spec: SubjectAccessReviewSpec;
  /** Result of the review. */
  status?: SubjectAccessReviewStatus;
};

/** The user and the request to check. */
export interface SubjectAccessReviewSpec {
  /** A request for a resource; this or nonResourceAttributes. */
  resourceAttributes?: ResourceAttributes;
  /** A request for a path that is not a resource. */
  nonResourceAttributes?: NonResourceAttributes;
  /** Name of the user. When only groups are set, the review applies to any user of these groups. */
  user?: string;
  /** Groups of the user. */
  groups?: string[];
  /** Additional attributes of the user. */
  extra?: Record<string, string[]>;
  /** Identity of the user. */
  uid?: string;
}

/** The user and the request to check. */
export interface SubjectAccessReviewSpecV1beta1 {
  /** A request for a resource; this or nonResourceAttributes. */
  resourceAttributes?: ResourceAttributes;
  /** A request for a path that is not a resource. */
  nonResourceAttributes?: NonResourceAttributes;
  /** Name of the user. When only groups are set, the review applies to any user of these groups. */
  user?: string;
  /** Groups of the user. */
  group?: string[];
  /** Additional attributes of the user. */
  extra?: Record<string, string[]>;
  /** Identity of the user. */
  uid?: string;
}

/** Whether the request would be allowed. */
export interface SubjectAccessReviewStatus {
  /** Whether it would be allowed. */
  allowed: boolean;
  /** Whether an authorizer denies it. A request that is neither allowed nor denied is rejected. */
  denied?: boolean;
  /** Why. */
  reason?: string;
  /** Errors of the evaluation; the result may be valid nevertheless. */
  evaluationError?: string;
}

/** Checks whether a user may perform an action. Never stored. */
export type SubjectAccessReviewV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Request of the review. */
  spec: SubjectAccessReviewSpecV1beta1;
  /** Result of the review. */
  status?: SubjectAccessReviewStatus;
};

/** Actions that a user may perform. */
export interface SubjectRulesReviewStatus {
  /** Actions on resources, in no particular order, possibly with duplicates. */
  resourceRules: ResourceRule[] | null;
  /** Actions on other paths. */
  nonResourceRules: NonResourceRule[] | null;
  /** Whether an authorizer cannot list its rules, so that the list is incomplete. */
  incomplete: boolean;
  /** Errors of the evaluation. */
  evaluationError?: string;
}

// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** Asks whether a user may do something in one namespace. Answered at once, and never stored. */
export type LocalSubjectAccessReview = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The question. */
  spec: SubjectAccessReviewSpec;
  /** The answer. */
  status?: SubjectAccessReviewStatus;
};

/** Asks whether a user may do something in one namespace. Answered at once, and never stored. */
export type LocalSubjectAccessReviewV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The question. */
  spec: SubjectAccessReviewSpecV1beta1;
  /** The answer. */
  status?: SubjectAccessReviewStatus;
};

/** Path and verb of the request. */
export interface NonResourceAttributes {
  /** Path of the request. */
  path?: string;
  /** Method of the request in lower case. */
  verb?: string;
}

/** What may be done with which paths that are no resources. */
export interface NonResourceRule {
  /** What may be done; `*` is everything. */
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
  /** Subresource, if that is meant. */
  subresource?: string;
  /** Name of the object; empty for all. */
  name?: string;
}

/** What may be done with which resources. */
export interface ResourceRule {
  /** What may be done; `*` is everything. */
  verbs: string[] | null;
  /** Groups of the resources; `*` is every group. */
  apiGroups?: string[];
  /** Resources; `*` is every resource, `*\/scale` the scale of everything. */
  resources?: string[];
  /** Names of the objects; all when empty. */
  resourceNames?: string[];
}

/** Asks whether the user who asks may do something. Answered at once, and never stored. */
export type SelfSubjectAccessReview = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The question. */
  spec: SelfSubjectAccessReviewSpec;
  /** The answer. */
  status?: SubjectAccessReviewStatus;
};

/** Which request of the user who asks. */
export interface SelfSubjectAccessReviewSpec {
  /** A request for a resource; this or nonResourceAttributes. */
  resourceAttributes?: ResourceAttributes;
  /** A request for a path that is no resource. */
  nonResourceAttributes?: NonResourceAttributes;
}

/** Asks what the user who asks may do in a namespace. Answered at once, and never stored; to decide on a request ask about it. */
export type SelfSubjectRulesReview = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The question. */
  spec: SelfSubjectRulesReviewSpec;
  /** The answer. */
  status?: SubjectRulesReviewStatus;
};

/** Where the user wants to know. */
export interface SelfSubjectRulesReviewSpec {
  /** The namespace. */
  namespace?: string;
}

/** Asks whether a user may do something. Answered at once, and never stored. */
export type SubjectAccessReview = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The question. */
  spec: SubjectAccessReviewSpec;
  /** The answer. */
  status?: SubjectAccessReviewStatus;
};

/** Which user, and which request. */
export interface SubjectAccessReviewSpec {
  /** A request for a resource; this or nonResourceAttributes. */
  resourceAttributes?: ResourceAttributes;
  /** A request for a path that is no resource. */
  nonResourceAttributes?: NonResourceAttributes;
  /** Name of the user. With groups only, any user of these groups is meant. */
  user?: string;
  /** Groups of the user. */
  groups?: string[];
  /** What else is known of the user. */
  extra?: Record<string, string[]>;
  /** Identity of the user. */
  uid?: string;
}

/** Which user, and which request. */
export interface SubjectAccessReviewSpecV1beta1 {
  /** A request for a resource; this or nonResourceAttributes. */
  resourceAttributes?: ResourceAttributes;
  /** A request for a path that is no resource. */
  nonResourceAttributes?: NonResourceAttributes;
  /** Name of the user. With groups only, any user of these groups is meant. */
  user?: string;
  /** Groups of the user. */
  group?: string[];
  /** What else is known of the user. */
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
  /** What went wrong on the way to the answer, which may hold all the same. */
  evaluationError?: string;
}

/** Asks whether a user may do something. Answered at once, and never stored. */
export type SubjectAccessReviewV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** The question. */
  spec: SubjectAccessReviewSpecV1beta1;
  /** The answer. */
  status?: SubjectAccessReviewStatus;
};

/** What a user may do. */
export interface SubjectRulesReviewStatus {
  /** What may be done with resources, in no particular order, perhaps with duplicates. */
  resourceRules: ResourceRule[] | null;
  /** What may be done with other paths. */
  nonResourceRules: NonResourceRule[] | null;
  /** Whether somebody who decides on requests cannot say what is allowed, so that there may be more. */
  incomplete: boolean;
  /** What went wrong on the way to the answer. */
  evaluationError?: string;
}

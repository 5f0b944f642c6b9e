// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

export type FieldSelectorAttributes = {
  readonly rawSelector?: string;
  readonly requirements?: readonly meta.FieldSelectorRequirement[];
};

export type LabelSelectorAttributes = {
  readonly rawSelector?: string;
  readonly requirements?: readonly meta.LabelSelectorRequirement[];
};

export type LocalSubjectAccessReview = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: SubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus;
};

export type LocalSubjectAccessReviewV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: SubjectAccessReviewSpecV1beta1;
  readonly status?: SubjectAccessReviewStatus;
};

export type NonResourceAttributes = {
  readonly path?: string;
  readonly verb?: string;
};

export type NonResourceRule = {
  readonly verbs?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[];
};

export type ResourceAttributes = {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: FieldSelectorAttributes;
  readonly labelSelector?: LabelSelectorAttributes;
};

export type ResourceRule = {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
};

export type SelfSubjectAccessReview = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: SelfSubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus;
};

export type SelfSubjectAccessReviewSpec = {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
};

export type SelfSubjectRulesReview = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: SelfSubjectRulesReviewSpec;
  readonly status?: SubjectRulesReviewStatus;
};

export type SelfSubjectRulesReviewSpec = {
  readonly namespace?: string;
};

export type SubjectAccessReview = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: SubjectAccessReviewSpec;
  readonly status?: SubjectAccessReviewStatus;
};

export type SubjectAccessReviewSpec = {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[] | null>>;
  readonly uid?: string;
};

export type SubjectAccessReviewSpecV1beta1 = {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
  readonly user?: string;
  readonly group?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[] | null>>;
  readonly uid?: string;
};

export type SubjectAccessReviewStatus = {
  readonly allowed?: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
};

export type SubjectAccessReviewV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: SubjectAccessReviewSpecV1beta1;
  readonly status?: SubjectAccessReviewStatus;
};

export type SubjectRulesReviewStatus = {
  readonly resourceRules?: readonly ResourceRule[] | null;
  readonly nonResourceRules?: readonly NonResourceRule[] | null;
  readonly incomplete?: boolean;
  readonly evaluationError?: string;
};

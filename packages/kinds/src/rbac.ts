// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

export type AggregationRule = {
  readonly clusterRoleSelectors?: readonly meta.LabelSelector[];
};

export type ClusterRole = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: AggregationRule;
};

export type ClusterRoleBinding = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly Subject[];
  readonly roleRef?: RoleRef;
};

export type ClusterRoleBindingV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly SubjectV1alpha1[];
  readonly roleRef?: RoleRef;
};

export type ClusterRoleV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRuleV1alpha1[] | null;
  readonly aggregationRule?: AggregationRule;
};

export type PolicyRule = {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
};

export type PolicyRuleV1alpha1 = {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
};

export type Role = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRule[] | null;
};

export type RoleBinding = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly Subject[];
  readonly roleRef?: RoleRef;
};

export type RoleBindingV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly subjects?: readonly SubjectV1alpha1[];
  readonly roleRef?: RoleRef;
};

export type RoleRef = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
};

export type RoleV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly rules?: readonly PolicyRuleV1alpha1[] | null;
};

export type Subject = {
  readonly kind?: string;
  readonly apiGroup?: string;
  readonly name?: string;
  readonly namespace?: string;
};

export type SubjectV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly namespace?: string;
};

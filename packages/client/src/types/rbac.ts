// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

/** Selects the roles of the cluster whose rules a role combines. */
export interface AggregationRule {
  /** The rules of the roles that one of these selects are combined. */
  clusterRoleSelectors?: meta.LabelSelector[];
}

/** Permissions in the whole cluster, or in the namespace of a binding. */
export type ClusterRole = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Rules whose permissions are combined. Maintained by a controller when the role is aggregated. */
  rules?: PolicyRule[] | null;
  /** Combines the rules of other roles, which overwrite the rules of this one. */
  aggregationRule?: AggregationRule;
};

/** Grants the permissions of a role of the cluster to subjects, in all namespaces. */
export type ClusterRoleBinding = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Subjects that are granted the permissions. */
  subjects?: Subject[];
  /** The role of the cluster. It cannot change. */
  roleRef: RoleRef;
};

/** Grants the permissions of a role of the cluster to subjects, in all namespaces. */
export type ClusterRoleBindingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Subjects that are granted the permissions. */
  subjects?: SubjectV1alpha1[];
  /** The role of the cluster. It cannot change. */
  roleRef: RoleRef;
};

/** Permissions in the whole cluster, or in the namespace of a binding. */
export type ClusterRoleV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Rules whose permissions are combined. Maintained by a controller when the role is aggregated. */
  rules?: PolicyRuleV1alpha1[] | null;
  /** Combines the rules of other roles, which overwrite the rules of this one. */
  aggregationRule?: AggregationRule;
};

/** Allows some verbs on some resources, or on some URL paths that are not resources. */
export interface PolicyRule {
  /** Allowed verbs, such as get, list and create, or `*` for every verb. */
  verbs: string[];
  /** Groups of the resources; `""` is the core group, `*` any group. */
  apiGroups?: string[];
  /** Resources, or subresources as `pods/log`; `*` for all. */
  resources?: string[];
  /** Names of the objects; all objects when empty. */
  resourceNames?: string[];
  /** URL paths that are not resources, in roles of the cluster only; a final `*` includes all paths below. */
  nonResourceURLs?: string[];
}

/** Allows some verbs on some resources, or on some URL paths that are not resources. */
export interface PolicyRuleV1alpha1 {
  /** Allowed verbs, such as get, list and create, or `*` for every verb. */
  verbs: string[];
  /** Groups of the resources; `""` is the core group, `*` any group. */
  apiGroups?: string[];
  /** Resources, or subresources as `pods/log`; `*` for all. */
  resources?: string[];
  /** Names of the objects; all objects when empty. */
  resourceNames?: string[];
  /** URL paths that are not resources, in roles of the cluster only; a final `*` includes all paths below. */
  nonResourceURLs?: string[];
}

/** Permissions within one namespace, which bindings grant to subjects. */
export type Role = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Rules whose permissions are combined. */
  rules?: PolicyRule[] | null;
};

/** Grants the permissions of a role to subjects, within its own namespace. */
export type RoleBinding = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Subjects that are granted the permissions. */
  subjects?: Subject[];
  /** The role: one of the namespace, or one of the cluster. It cannot change. */
  roleRef: RoleRef;
};

/** Grants the permissions of a role to subjects, within its own namespace. */
export type RoleBindingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Subjects that are granted the permissions. */
  subjects?: SubjectV1alpha1[];
  /** The role: one of the namespace, or one of the cluster. It cannot change. */
  roleRef: RoleRef;
};

/** References the role whose permissions a binding grants. */
export interface RoleRef {
  /** Group of the role. */
  apiGroup: string;
  /** Role or ClusterRole. */
  kind: string;
  /** Name of the role. */
  name: string;
}

/** Permissions within one namespace, which bindings grant to subjects. */
export type RoleV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Rules whose permissions are combined. */
  rules?: PolicyRuleV1alpha1[] | null;
};

/** A user, group or service account to which a binding grants permissions. */
export interface Subject {
  /** User, Group or ServiceAccount. */
  kind: string;
  /** Group of the kind: empty for service accounts, that of roles for users and groups. */
  apiGroup?: string;
  /** Name of the user, group or service account. */
  name: string;
  /** Namespace of a service account; users and groups have none. */
  namespace?: string;
}

/** A user, group or service account to which a binding grants permissions. */
export interface SubjectV1alpha1 {
  /** User, Group or ServiceAccount. */
  kind: string;
  /** Group and version of the kind; follows from it. */
  apiVersion?: string;
  /** Name of the user, group or service account. */
  name: string;
  /** Namespace of a service account; users and groups have none. */
  namespace?: string;
}

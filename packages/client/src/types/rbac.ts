// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

/** Says of which other roles of the cluster a role is made up. */
export interface AggregationRule {
  /** Roles that one of these selects add their rules. */
  clusterRoleSelectors?: meta.LabelSelector[];
}

/** Permissions in the whole cluster, or in whatever namespace a binding gives them for. */
export type ClusterRole = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What is allowed: whatever any of them allows. Kept by a controller when the role is aggregated. */
  rules?: PolicyRule[] | null;
  /** Makes the rules up from those of other roles; they are overwritten then. */
  aggregationRule?: AggregationRule;
};

/** Gives the permissions of a role of the cluster to subjects, everywhere. */
export type ClusterRoleBinding = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Who gets the permissions. */
  subjects?: Subject[];
  /** The role of the cluster. It cannot change. */
  roleRef: RoleRef;
};

/** Gives the permissions of a role of the cluster to subjects, everywhere. */
export type ClusterRoleBindingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Who gets the permissions. */
  subjects?: SubjectV1alpha1[];
  /** The role of the cluster. It cannot change. */
  roleRef: RoleRef;
};

/** Permissions in the whole cluster, or in whatever namespace a binding gives them for. */
export type ClusterRoleV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What is allowed: whatever any of them allows. Kept by a controller when the role is aggregated. */
  rules?: PolicyRuleV1alpha1[] | null;
  /** Makes the rules up from those of other roles; they are overwritten then. */
  aggregationRule?: AggregationRule;
};

/** Allows some verbs on some resources, or on some URL paths that are no resources. */
export interface PolicyRule {
  /** What may be done: get, list, create and the like, or `*` for anything. */
  verbs: string[];
  /** Groups of the resources; `""` is the core group, `*` any group. */
  apiGroups?: string[];
  /** Resources, or subresources as `pods/log`; `*` for all. */
  resources?: string[];
  /** Names of the only objects that are meant; all objects when empty. */
  resourceNames?: string[];
  /** URL paths that are no resources, in roles of the cluster only; a final `*` takes in all below. */
  nonResourceURLs?: string[];
}

/** Allows some verbs on some resources, or on some URL paths that are no resources. */
export interface PolicyRuleV1alpha1 {
  /** What may be done: get, list, create and the like, or `*` for anything. */
  verbs: string[];
  /** Groups of the resources; `""` is the core group, `*` any group. */
  apiGroups?: string[];
  /** Resources, or subresources as `pods/log`; `*` for all. */
  resources?: string[];
  /** Names of the only objects that are meant; all objects when empty. */
  resourceNames?: string[];
  /** URL paths that are no resources, in roles of the cluster only; a final `*` takes in all below. */
  nonResourceURLs?: string[];
}

/** Permissions within one namespace. They count for those to whom a binding gives them. */
export type Role = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What is allowed: whatever any of them allows. */
  rules?: PolicyRule[] | null;
};

/** Gives the permissions of a role to subjects, within its own namespace. */
export type RoleBinding = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Who gets the permissions. */
  subjects?: Subject[];
  /** The role: one of the namespace, or one of the cluster. It cannot change. */
  roleRef: RoleRef;
};

/** Gives the permissions of a role to subjects, within its own namespace. */
export type RoleBindingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Who gets the permissions. */
  subjects?: SubjectV1alpha1[];
  /** The role: one of the namespace, or one of the cluster. It cannot change. */
  roleRef: RoleRef;
};

/** Names the role whose permissions a binding gives. */
export interface RoleRef {
  /** Group of the role. */
  apiGroup: string;
  /** Role or ClusterRole. */
  kind: string;
  /** Name of the role. */
  name: string;
}

/** Permissions within one namespace. They count for those to whom a binding gives them. */
export type RoleV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What is allowed: whatever any of them allows. */
  rules?: PolicyRuleV1alpha1[] | null;
};

/** Someone to whom a binding gives permissions. */
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

/** Someone to whom a binding gives permissions. */
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

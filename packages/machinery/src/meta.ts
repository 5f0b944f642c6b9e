import type { Int64 } from './int64.ts';
/** A reference to an owning object (ObjectMeta.ownerReferences). */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Metadata that every stored object carries (spec 2.2). Timestamps are RFC 3339 UTC strings. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: Int64;
  creationTimestamp?: string | null;
  deletionTimestamp?: string | null;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: unknown[];
}

/** Reports whether deletion was requested: the object stays until its finalizers are removed and its grace period is over. */
export const hasDeletionTimestamp = (meta: Pick<ObjectMeta, 'deletionTimestamp'>): boolean =>
  (meta.deletionTimestamp ?? null) !== null;

/** Any API object as a plain JSON value. */
export interface ApiObject {
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

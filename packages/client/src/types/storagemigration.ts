// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as meta from './meta.ts';

/** A resource in one version. */
export interface GroupVersionResourceV1alpha1 {
  /** Its group; empty for the core group. */
  group?: string;
  /** A version in which it is served. */
  version?: string;
  /** Its name in paths: the plural. */
  resource?: string;
}

/** One aspect of a migration, at its latest observation. */
export interface MigrationConditionV1alpha1 {
  /** Type of the condition: Running, Succeeded or Failed. */
  type: string;
  /** Whether it holds: True, False or Unknown. */
  status: 'False' | 'True' | 'Unknown' | (string & {});
  /** When the status last changed from one value to another. */
  lastUpdateTime?: string;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** A migration of the stored objects of one resource to its storage version. */
export type StorageVersionMigration = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The objects to migrate. */
  spec?: StorageVersionMigrationSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: StorageVersionMigrationStatus;
};

/** The objects to migrate. It cannot change later. */
export interface StorageVersionMigrationSpec {
  /** The resource whose objects are stored again. The server chooses the version. */
  resource?: meta.GroupResource;
}

/** The objects to migrate. It cannot change later. */
export interface StorageVersionMigrationSpecV1alpha1 {
  /** The resource whose objects are stored again. */
  resource?: GroupVersionResourceV1alpha1;
  /** Position of a migration in the list of objects. Written by the system; ignored in requests. */
  continueToken?: string;
}

/** How far a migration has advanced, and its result. */
export interface StorageVersionMigrationStatus {
  /** Running, Succeeded and Failed. At most one of Succeeded and Failed is true, and it remains so. */
  conditions?: KeyedList<meta.Condition, 'type'>;
  /** State of the store at the beginning: objects that were written later are in the storage version already. */
  resourceVersion?: string;
}

/** How far a migration has advanced, and its result. */
export interface StorageVersionMigrationStatusV1alpha1 {
  /** Running, Succeeded and Failed. At most one of Succeeded and Failed is true, and it remains so. */
  conditions?: KeyedList<MigrationConditionV1alpha1, 'type'>;
  /** State of the store at the beginning: objects that were written later are in the storage version already. */
  resourceVersion?: string;
}

/** A migration of the stored objects of one resource to its storage version. */
export type StorageVersionMigrationV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The objects to migrate. */
  spec?: StorageVersionMigrationSpecV1alpha1;
  /** Most recently observed state of the object; written by the system. */
  status?: StorageVersionMigrationStatusV1alpha1;
};

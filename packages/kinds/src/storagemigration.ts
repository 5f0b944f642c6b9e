// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as meta from './meta.ts';

export type GroupVersionResourceV1alpha1 = {
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
};

export type MigrationConditionV1alpha1 = {
  readonly type?: string;
  readonly status?: string;
  readonly lastUpdateTime?: string;
  readonly reason?: string;
  readonly message?: string;
};

export type StorageVersionMigration = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: StorageVersionMigrationSpec;
  readonly status?: StorageVersionMigrationStatus;
};

export type StorageVersionMigrationSpec = {
  readonly resource?: meta.GroupResource;
};

export type StorageVersionMigrationSpecV1alpha1 = {
  readonly resource?: GroupVersionResourceV1alpha1;
  readonly continueToken?: string;
};

export type StorageVersionMigrationStatus = {
  readonly conditions?: readonly meta.Condition[];
  readonly resourceVersion?: string;
};

export type StorageVersionMigrationStatusV1alpha1 = {
  readonly conditions?: readonly MigrationConditionV1alpha1[];
  readonly resourceVersion?: string;
};

export type StorageVersionMigrationV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: StorageVersionMigrationSpecV1alpha1;
  readonly status?: StorageVersionMigrationStatusV1alpha1;
};

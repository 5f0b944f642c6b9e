// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';

export type ServerStorageVersionV1alpha1 = {
  readonly apiServerID?: string;
  readonly encodingVersion?: string;
  readonly decodableVersions?: readonly string[];
  readonly servedVersions?: readonly string[];
};

export type StorageVersionConditionV1alpha1 = {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number | ExactNumber;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};

export type StorageVersionSpecV1alpha1 = Record<string, never>;

export type StorageVersionStatusV1alpha1 = {
  readonly storageVersions?: readonly ServerStorageVersionV1alpha1[];
  readonly commonEncodingVersion?: string;
  readonly conditions?: readonly StorageVersionConditionV1alpha1[];
};

export type StorageVersionV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: StorageVersionSpecV1alpha1;
  readonly status?: StorageVersionStatusV1alpha1;
};

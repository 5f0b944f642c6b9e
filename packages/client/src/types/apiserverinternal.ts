// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';

/** What one server does with the objects of a resource. */
export interface ServerStorageVersionV1alpha1 {
  /** Which server. */
  apiServerID?: string;
  /** Version in which it writes them. */
  encodingVersion?: string;
  /** Versions that it can read; the one that it writes is among them. */
  decodableVersions?: string[];
}

/** One aspect of how the servers agree. */
export interface StorageVersionConditionV1alpha1 {
  /** Which aspect. */
  type: string;
  /** Whether it holds: True, False or Unknown. */
  status: string;
  /** Generation of the object that the condition was derived from. */
  observedGeneration?: number;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** One CamelCase word for programs: why it is so. */
  reason: string;
  /** Details for people. */
  message?: string;
}

/** Nothing: all is in the status. */
export type StorageVersionSpecV1alpha1 = Record<string, never>;

/** What all servers do with the objects of a resource. */
export interface StorageVersionStatusV1alpha1 {
  /** What each server does. */
  storageVersions?: ServerStorageVersionV1alpha1[];
  /** Version in which all of them write; absent while they do not agree. */
  commonEncodingVersion?: string;
  /** How they agree. */
  conditions?: StorageVersionConditionV1alpha1[];
}

/** The versions in which servers store the objects of one resource. Its name is `group.resource`. */
export type StorageVersionV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Always empty. */
  spec: StorageVersionSpecV1alpha1;
  /** What was observed last; written by the system, never by the owner. */
  status: StorageVersionStatusV1alpha1;
};

// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';

/** Versions in which one server writes and reads the objects of a resource. */
export interface ServerStorageVersionV1alpha1 {
  /** ID of the server. */
  apiServerID?: string;
  /** Version in which it writes them. */
  encodingVersion?: string;
  /** Versions that it can read; the one that it writes is among them. */
  decodableVersions?: string[];
  /** Versions that it serves; it can read each of them. */
  servedVersions?: string[];
}

/** One aspect of the agreement of the servers. */
export interface StorageVersionConditionV1alpha1 {
  /** Type of the condition. */
  type: string;
  /** Whether it holds: True, False or Unknown. */
  status: string;
  /** Generation of the object that the condition was derived from. */
  observedGeneration?: Int64;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason: string;
  /** Human-readable details. */
  message?: string;
}

/** Nothing: all is in the status. */
export type StorageVersionSpecV1alpha1 = Record<string, never>;

/** Versions in which each server stores the objects of a resource. */
export interface StorageVersionStatusV1alpha1 {
  /** One entry for each server. */
  storageVersions?: KeyedList<ServerStorageVersionV1alpha1, 'apiServerID'>;
  /** Version in which all servers write; absent while it differs. */
  commonEncodingVersion?: string;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<StorageVersionConditionV1alpha1, 'type'>;
}

/** The versions in which servers store the objects of one resource. Its name is `group.resource`. */
export type StorageVersionV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Always empty. */
  spec: StorageVersionSpecV1alpha1;
  /** Most recently observed state of the object; written by the system. */
  status: StorageVersionStatusV1alpha1;
};

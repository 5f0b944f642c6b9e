// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

export type CSIDriver = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CSIDriverSpec;
};

export type CSIDriverSpec = {
  readonly attachRequired?: boolean;
  readonly podInfoOnMount?: boolean;
  readonly volumeLifecycleModes?: readonly string[];
  readonly storageCapacity?: boolean;
  readonly fsGroupPolicy?: string;
  readonly tokenRequests?: readonly TokenRequest[];
  readonly requiresRepublish?: boolean;
  readonly seLinuxMount?: boolean;
  readonly nodeAllocatableUpdatePeriodSeconds?: number | ExactNumber;
  readonly serviceAccountTokenInSecrets?: boolean;
  readonly preventPodSchedulingIfMissing?: boolean;
};

export type CSIDriverSpecV1beta1 = {
  readonly attachRequired?: boolean;
  readonly podInfoOnMount?: boolean;
  readonly volumeLifecycleModes?: readonly string[];
  readonly storageCapacity?: boolean;
  readonly fsGroupPolicy?: string;
  readonly tokenRequests?: readonly TokenRequest[];
  readonly requiresRepublish?: boolean;
  readonly seLinuxMount?: boolean;
  readonly nodeAllocatableUpdatePeriodSeconds?: number | ExactNumber;
  readonly serviceAccountTokenInSecrets?: boolean;
  readonly preventPodSchedulingIfMissing?: boolean;
};

export type CSIDriverV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CSIDriverSpecV1beta1;
};

export type CSINode = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CSINodeSpec;
  readonly status?: CSINodeStatus;
};

export type CSINodeDriver = {
  readonly name?: string;
  readonly nodeID?: string;
  readonly topologyKeys?: readonly string[] | null;
  readonly allocatable?: VolumeNodeResources;
};

export type CSINodeSpec = {
  readonly drivers?: readonly CSINodeDriver[] | null;
};

export type CSINodeStatus = {
  readonly storageHealth?: readonly StorageHealth[];
};

export type CSIStorageCapacity = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly nodeTopology?: meta.LabelSelector;
  readonly storageClassName?: string;
  readonly capacity?: string;
  readonly maximumVolumeSize?: string;
};

export type StorageClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly provisioner?: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: string;
  readonly mountOptions?: readonly string[];
  readonly allowVolumeExpansion?: boolean;
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly core.TopologySelectorTerm[];
};

export type StorageHealth = {
  readonly name?: string;
  readonly healthConditions?: readonly StorageHealthCondition[];
};

export type StorageHealthCondition = {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly accessMode?: string;
  readonly volumeMode?: string;
  readonly lastTransitionTime?: string | null;
};

export type TokenRequest = {
  readonly audience?: string;
  readonly expirationSeconds?: number | ExactNumber;
};

export type VolumeAttachment = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: VolumeAttachmentSpec;
  readonly status?: VolumeAttachmentStatus;
};

export type VolumeAttachmentSource = {
  readonly persistentVolumeName?: string;
  readonly inlineVolumeSpec?: core.PersistentVolumeSpec;
};

export type VolumeAttachmentSpec = {
  readonly attacher?: string;
  readonly source?: VolumeAttachmentSource;
  readonly nodeName?: string;
};

export type VolumeAttachmentStatus = {
  readonly attached?: boolean;
  readonly attachmentMetadata?: Readonly<Record<string, string>>;
  readonly attachError?: VolumeError;
  readonly detachError?: VolumeError;
};

export type VolumeAttributesClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly driverName?: string;
  readonly parameters?: Readonly<Record<string, string>>;
};

export type VolumeError = {
  readonly time?: string | null;
  readonly message?: string;
  readonly errorCode?: number;
};

export type VolumeNodeResources = {
  readonly count?: number;
};

// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** A driver that provides volumes through the container storage interface. Its name is that of the driver. */
export type CSIDriver = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: CSIDriverSpec;
};

/** Capabilities and requirements of a storage driver. */
export interface CSIDriverSpec {
  /** Whether volumes are attached to a node before they are mounted there. */
  attachRequired?: boolean;
  /** Whether the driver receives information about the pod when it mounts a volume. */
  podInfoOnMount?: boolean;
  /** Lifetimes of its volumes: Persistent for those of claims, Ephemeral for those that exist as long as a pod. */
  volumeLifecycleModes?: string[];
  /** Whether the driver reports the storage capacity that is left, for scheduling. */
  storageCapacity?: boolean;
  /** When the group of files is changed to that of the pod: ReadWriteOnceWithFSType, File or None. */
  fsGroupPolicy?: 'ReadWriteOnceWithFSType' | 'File' | 'None' | (string & {});
  /** Tokens of the service account of a pod that the driver receives when it mounts a volume for it. */
  tokenRequests?: TokenRequest[];
  /** Whether the driver is called periodically while a volume is mounted, to update its content. */
  requiresRepublish?: boolean;
  /** Whether volumes can be mounted with separate SELinux contexts. */
  seLinuxMount?: boolean;
  /** Seconds between updates of how many volumes a node can attach; at least 10. */
  nodeAllocatableUpdatePeriodSeconds?: Int64;
  /** Whether tokens are passed as secrets instead of volume context. */
  serviceAccountTokenInSecrets?: boolean;
  /** Whether pods are not placed on nodes without the driver. */
  preventPodSchedulingIfMissing?: boolean;
}

/** Capabilities and requirements of a storage driver. */
export interface CSIDriverSpecV1beta1 {
  /** Whether volumes are attached to a node before they are mounted there. */
  attachRequired?: boolean;
  /** Whether the driver receives information about the pod when it mounts a volume. */
  podInfoOnMount?: boolean;
  /** Lifetimes of its volumes: Persistent for those of claims, Ephemeral for those that exist as long as a pod. */
  volumeLifecycleModes?: string[];
  /** Whether the driver reports the storage capacity that is left, for scheduling. */
  storageCapacity?: boolean;
  /** When the group of files is changed to that of the pod: ReadWriteOnceWithFSType, File or None. */
  fsGroupPolicy?: 'ReadWriteOnceWithFSType' | 'File' | 'None' | (string & {});
  /** Tokens of the service account of a pod that the driver receives when it mounts a volume for it. */
  tokenRequests?: TokenRequest[];
  /** Whether the driver is called periodically while a volume is mounted, to update its content. */
  requiresRepublish?: boolean;
  /** Whether volumes can be mounted with separate SELinux contexts. */
  seLinuxMount?: boolean;
  /** Seconds between updates of how many volumes a node can attach; at least 10. */
  nodeAllocatableUpdatePeriodSeconds?: Int64;
  /** Whether tokens are passed as secrets instead of volume context. */
  serviceAccountTokenInSecrets?: boolean;
  /** Whether pods are not placed on nodes without the driver. */
  preventPodSchedulingIfMissing?: boolean;
}

/** A driver that provides volumes through the container storage interface. Its name is that of the driver. */
export type CSIDriverV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: CSIDriverSpecV1beta1;
};

/** Information about the storage drivers on a node. It has the name of the node and is deleted with it. */
export type CSINode = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: CSINodeSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: CSINodeStatus;
};

/** A storage driver as it is installed on a node. */
export interface CSINodeDriver {
  /** Name of the driver. */
  name: string;
  /** Name of the node for the driver. */
  nodeID: string;
  /** Labels of nodes that determine from which nodes its volumes can be reached. */
  topologyKeys?: string[] | null;
  /** How many of its volumes the node can attach. */
  allocatable?: VolumeNodeResources;
}

/** The storage drivers of a node. */
export interface CSINodeSpec {
  /** The drivers, each once. */
  drivers: KeyedList<CSINodeDriver, 'name'> | null;
}

/** What is known about the storage of a node. */
export interface CSINodeStatus {
  /** Health of the storage, by driver. */
  storageHealth?: KeyedList<StorageHealth, 'name'>;
}

/** How much storage of a class a driver has left in one part of the cluster. */
export type CSIStorageCapacity = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Nodes that can reach the storage; none when absent, all when empty. */
  nodeTopology?: meta.LabelSelector;
  /** Class that the report is about. */
  storageClassName: string;
  /** Storage that is left; unknown when absent. */
  capacity?: string;
  /** Largest volume that can be made. */
  maximumVolumeSize?: string;
};

/** A class of storage from which volumes are provisioned on demand. Only allowVolumeExpansion can change. */
export type StorageClass = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Provisioner of the volumes. */
  provisioner: string;
  /** Parameters of the volumes for the provisioner. */
  parameters?: Record<string, string>;
  /** What happens to a volume when its claim is deleted: Delete or Retain. */
  reclaimPolicy?: 'Delete' | 'Retain' | (string & {});
  /** Options for mounting; not validated. */
  mountOptions?: string[];
  /** Whether volumes may be expanded. */
  allowVolumeExpansion?: boolean;
  /** When volumes are provisioned and bound: Immediate, or WaitForFirstConsumer, when the node is known. */
  volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer' | (string & {});
  /** Topologies in which volumes may be provisioned; any when empty. */
  allowedTopologies?: core.TopologySelectorTerm[];
};

/** Health of the storage of a driver on a node. */
export interface StorageHealth {
  /** Name of the driver. */
  name: string;
  /** What is wrong with it; healthy when empty. */
  healthConditions?: StorageHealthCondition[];
}

/** What is wrong with the storage of a driver on a node. */
export interface StorageHealthCondition {
  /** StorageUnreachable or StorageDegraded. */
  status: 'StorageDegraded' | 'StorageUnreachable' | (string & {});
  /** Machine-readable reason, in CamelCase. */
  reason: string;
  /** Human-readable details. */
  message?: string;
  /** Access mode of the volumes that are concerned; all when absent. */
  accessMode?: 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod' | (string & {});
  /** Mode of the volumes that are concerned, Filesystem or Block; all when absent. */
  volumeMode?: 'Block' | 'Filesystem' | (string & {});
  /** When the condition last changed. */
  lastTransitionTime?: string | null;
}

/** A token of the service account of a pod that a driver requires. */
export interface TokenRequest {
  /** Intended audience of the token; the server itself when empty. */
  audience: string;
  /** Validity of the token. */
  expirationSeconds?: Int64;
}

/** A request to attach a volume to a node. Its deletion requests to detach the volume. */
export type VolumeAttachment = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: VolumeAttachmentSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: VolumeAttachmentStatus;
};

/** The volume that is attached: exactly one field. */
export interface VolumeAttachmentSource {
  /** Name of a persistent volume. */
  persistentVolumeName?: string;
  /** A volume that is declared in a pod, in the format of the driver that replaces its type. */
  inlineVolumeSpec?: core.PersistentVolumeSpec;
}

/** The volume to attach, its node and its attacher. */
export interface VolumeAttachmentSpec {
  /** Driver that attaches it. */
  attacher: string;
  /** The volume. */
  source: VolumeAttachmentSource;
  /** The node. */
  nodeName: string;
}

/** Progress of an attachment. */
export interface VolumeAttachmentStatus {
  /** Whether the volume is attached. */
  attached: boolean;
  /** Metadata that the driver returned when it attached the volume, and receives when it mounts it. */
  attachmentMetadata?: Record<string, string>;
  /** Last error of attaching the volume. */
  attachError?: VolumeError;
  /** Last error of detaching the volume. */
  detachError?: VolumeError;
}

/** Attributes of volumes that a driver can change while the volumes are in use. It is immutable. */
export type VolumeAttributesClass = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Driver of the volumes. */
  driverName: string;
  /** Attributes for the driver; at least one. */
  parameters?: Record<string, string>;
};

/** An error of a volume. */
export interface VolumeError {
  /** Time of the error. */
  time?: string | null;
  /** Human-readable description of the error. It may be logged and must not contain secrets. */
  message?: string;
  /** gRPC code of the error. */
  errorCode?: number;
}

/** Limits of a node for the volumes of a driver. */
export interface VolumeNodeResources {
  /** Maximum number of volumes in use on the node; no bound when absent. */
  count?: number;
}

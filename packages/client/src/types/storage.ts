// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** A driver that provides volumes through the container storage interface. Its name is that of the driver. */
export type CSIDriver = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: CSIDriverSpec;
};

/** What a storage driver can do and needs to know. */
export interface CSIDriverSpec {
  /** Whether volumes are attached to a node before they are mounted there. */
  attachRequired?: boolean;
  /** Whether the driver receives information about the pod when it mounts a volume. */
  podInfoOnMount?: boolean;
  /** How long its volumes live: Persistent for those of claims, Ephemeral for those that live as long as a pod. */
  volumeLifecycleModes?: string[];
  /** Whether the driver reports how much storage is left where, for scheduling. */
  storageCapacity?: boolean;
  /** When the group of files is changed to that of the pod: ReadWriteOnceWithFSType, File or None. */
  fsGroupPolicy?: string;
  /** Tokens of the service account of a pod that the driver gets when it mounts a volume for it. */
  tokenRequests?: TokenRequest[];
  /** Whether the driver is called again and again while a volume is mounted, to renew what is in it. */
  requiresRepublish?: boolean;
  /** Whether volumes can be mounted with separate SELinux contexts. */
  seLinuxMount?: boolean;
}

/** What a storage driver can do and needs to know. */
export interface CSIDriverSpecV1beta1 {
  /** Whether volumes are attached to a node before they are mounted there. */
  attachRequired?: boolean;
  /** Whether the driver receives information about the pod when it mounts a volume. */
  podInfoOnMount?: boolean;
  /** How long its volumes live: Persistent for those of claims, Ephemeral for those that live as long as a pod. */
  volumeLifecycleModes?: string[];
  /** Whether the driver reports how much storage is left where, for scheduling. */
  storageCapacity?: boolean;
  /** When the group of files is changed to that of the pod: ReadWriteOnceWithFSType, File or None. */
  fsGroupPolicy?: string;
  /** Tokens of the service account of a pod that the driver gets when it mounts a volume for it. */
  tokenRequests?: TokenRequest[];
  /** Whether the driver is called again and again while a volume is mounted, to renew what is in it. */
  requiresRepublish?: boolean;
  /** Whether volumes can be mounted with separate SELinux contexts. */
  seLinuxMount?: boolean;
}

/** A driver that provides volumes through the container storage interface. Its name is that of the driver. */
export type CSIDriverV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: CSIDriverSpecV1beta1;
};

/** What the storage drivers on a node tell about themselves. It has the name of the node and goes with it. */
export type CSINode = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: CSINodeSpec;
};

/** A storage driver as it is installed on a node. */
export interface CSINodeDriver {
  /** Name of the driver. */
  name: string;
  /** What the driver calls the node. */
  nodeID: string;
  /** Labels of nodes by which the driver tells where its volumes can be reached. */
  topologyKeys?: string[] | null;
  /** How many of its volumes the node can take. */
  allocatable?: VolumeNodeResources;
}

/** The storage drivers of a node. */
export interface CSINodeSpec {
  /** The drivers, each once. */
  drivers: CSINodeDriver[] | null;
}

/** How much storage of a class a driver has left in one part of the cluster. */
export type CSIStorageCapacity = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Nodes that can reach the storage; none when absent, all when empty. */
  nodeTopology?: meta.LabelSelector;
  /** Class that the report is about. */
  storageClassName: string;
  /** Storage that is left; nothing is known when absent. */
  capacity?: string;
  /** Largest volume that can be made. */
  maximumVolumeSize?: string;
};

/** A kind of storage that volumes can be made of on demand. What it says cannot change, but whether volumes may grow. */
export type StorageClass = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** Who makes the volumes. */
  provisioner: string;
  /** Parameters of the volumes for the provisioner. */
  parameters?: Record<string, string>;
  /** What becomes of a volume when its claim goes: Delete or Retain. */
  reclaimPolicy?: string;
  /** Options for mounting; not validated. */
  mountOptions?: string[];
  /** Whether volumes may grow. */
  allowVolumeExpansion?: boolean;
  /** When volumes are made and bound: Immediate, or WaitForFirstConsumer to know the node first. */
  volumeBindingMode?: string;
  /** Where volumes may be: where one of these holds; anywhere without any. */
  allowedTopologies?: core.TopologySelectorTerm[];
};

/** A token of the service account of a pod that a driver wants. */
export interface TokenRequest {
  /** Who the token is for; the server itself when empty. */
  audience: string;
  /** How long the token is good for. */
  expirationSeconds?: number;
}

/** The wish to attach a volume to a node, or to detach it when this goes. */
export type VolumeAttachment = {
  kind?: string;
  apiVersion?: string;
  /** Name, labels and the other data that every object carries. */
  metadata: ObjectMeta;
  /** What its owner wants. */
  spec: VolumeAttachmentSpec;
  /** What was observed last; written by the system, never by the owner. */
  status?: VolumeAttachmentStatus;
};

/** The volume that is attached: exactly one field. */
export interface VolumeAttachmentSource {
  /** Name of a persistent volume. */
  persistentVolumeName?: string;
  /** A volume that a pod names itself, in the form of the driver that took over its kind. */
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

/** How far an attachment has come. */
export interface VolumeAttachmentStatus {
  /** Whether the volume is attached. */
  attached: boolean;
  /** What the driver said when it attached the volume, and wants to hear again when it mounts it. */
  attachmentMetadata?: Record<string, string>;
  /** What went wrong last when it was attached. */
  attachError?: VolumeError;
  /** What went wrong last when it was detached. */
  detachError?: VolumeError;
}

/** What went wrong with a volume. */
export interface VolumeError {
  /** When it went wrong. */
  time?: string | null;
  /** What went wrong, for people. It may be logged, so it holds no secrets. */
  message?: string;
}

/** How much a node can take of the volumes of a driver. */
export interface VolumeNodeResources {
  /** Most volumes that can be in use on the node; no bound when absent. */
  count?: number;
}

// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as meta from './meta.ts';

/** An AWS disk, in the zone of the node. */
export interface AWSElasticBlockStoreVolumeSource {
  /** Identity of the disk. */
  volumeID: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Partition to mount; the whole device when 0. */
  partition?: number;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Where a pod may and should run. */
export interface Affinity {
  /** Affinity to nodes. */
  nodeAffinity?: NodeAffinity;
  /** Affinity to other pods. */
  podAffinity?: PodAffinity;
  /** Anti-affinity to other pods. */
  podAntiAffinity?: PodAntiAffinity;
}

/** AppArmor profile of containers. */
export interface AppArmorProfile {
  /** Unconfined, RuntimeDefault or Localhost. */
  type: 'Localhost' | 'RuntimeDefault' | 'Unconfined' | (string & {});
  /** Profile that is loaded on the node; for Localhost only. */
  localhostProfile?: string;
}

/** A volume that is attached to a node. */
export interface AttachedVolume {
  /** Name of the volume. */
  name: string;
  /** Path of the device. */
  devicePath: string;
}

/** Location of an Azure disk, with the options of its mount. */
export interface AzureDiskVolumeSource {
  /** Name of the disk. */
  diskName: string;
  /** Address of the disk. */
  diskURI: string;
  /** None, ReadOnly or ReadWrite. */
  cachingMode?: 'None' | 'ReadOnly' | 'ReadWrite' | (string & {});
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Shared, Dedicated or Managed. */
  kind?: 'Dedicated' | 'Managed' | 'Shared' | (string & {});
}

/** Location of an Azure file share, with the options of its mount. */
export interface AzureFilePersistentVolumeSource {
  /** Secret with the account and its key. */
  secretName: string;
  /** Name of the share. */
  shareName: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Namespace of the secret; that of the pod when absent. */
  secretNamespace?: string | null;
}

/** Location of an Azure file share, with the options of its mount. */
export interface AzureFileVolumeSource {
  /** Secret with the account and its key. */
  secretName: string;
  /** Name of the share. */
  shareName: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Assigns an object to a node: the scheduler posts it for a pod. */
export type Binding = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Node that the object is assigned to. */
  target: ObjectReference;
};

/** Location of a volume of a CSI driver, with the options of its mount. */
export interface CSIPersistentVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** Identifier of the volume for the driver; cannot change. */
  volumeHandle: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Attributes for the driver when it mounts the volume. */
  volumeAttributes?: Record<string, string>;
  /** Secret for attaching and detaching. */
  controllerPublishSecretRef?: SecretReference;
  /** Secret for staging on a node. */
  nodeStageSecretRef?: SecretReference;
  /** Secret for mounting into a pod. */
  nodePublishSecretRef?: SecretReference;
  /** Secret for expanding the volume. */
  controllerExpandSecretRef?: SecretReference;
  /** Secret for expanding the volume on a node. */
  nodeExpandSecretRef?: SecretReference;
}

/** Storage that a CSI driver provides for one pod. */
export interface CSIVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Attributes for the driver when it mounts the volume. */
  volumeAttributes?: Record<string, string>;
  /** Secret for mounting into the pod. */
  nodePublishSecretRef?: LocalObjectReference;
}

/** Capabilities that are added to, and dropped from, those of the container runtime. */
export interface Capabilities {
  /** Capabilities to add. */
  add?: string[];
  /** Capabilities to drop. */
  drop?: string[];
}

/** Location of a Ceph file system, with the options of its mount. */
export interface CephFSPersistentVolumeSource {
  /** Addresses of Ceph monitors. */
  monitors: string[];
  /** Directory to mount. */
  path?: string;
  /** Name of the user. */
  user?: string;
  /** Path of the key on the node. */
  secretFile?: string;
  /** Secret with the credentials for the storage. */
  secretRef?: SecretReference;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Location of a Ceph file system, with the options of its mount. */
export interface CephFSVolumeSource {
  /** Addresses of Ceph monitors. */
  monitors: string[];
  /** Directory to mount. */
  path?: string;
  /** Name of the user. */
  user?: string;
  /** Path of the key on the node. */
  secretFile?: string;
  /** Secret with the credentials for the storage. */
  secretRef?: LocalObjectReference;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Location of an OpenStack volume, with the options of its mount. */
export interface CinderPersistentVolumeSource {
  /** Identity of the volume. */
  volumeID: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Secret with the credentials for the storage. */
  secretRef?: SecretReference;
}

/** Location of an OpenStack volume, with the options of its mount. */
export interface CinderVolumeSource {
  /** Identity of the volume. */
  volumeID: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Secret with the credentials for the storage. */
  secretRef?: LocalObjectReference;
}

/** Where a resource claim of a pod comes from. */
export interface ClaimSource {
  /** A ResourceClaim in the namespace of the pod. */
  resourceClaimName?: string;
  /** A ResourceClaimTemplate in the namespace of the pod, of which each pod gets its own claim. */
  resourceClaimTemplateName?: string;
}

/** Session affinity by client address. */
export interface ClientIPConfig {
  /** How long the connections of a client are sent to the same pod. */
  timeoutSeconds?: number;
}

/** Certificates of trust bundles in one file. */
export interface ClusterTrustBundleProjection {
  /** Name of one bundle; this or signerName. */
  name?: string;
  /** Signer whose bundles are used. */
  signerName?: string;
  /** Labels of the bundles of the signer; all when empty, none when absent. */
  labelSelector?: meta.LabelSelector;
  /** The bundles may be missing. */
  optional?: boolean;
  /** File to write, relative to the volume. */
  path: string;
  /** ID of the user that owns the file; that of the volume when absent. */
  user?: Int64;
}

/** Health of a component. */
export interface ComponentCondition {
  /** Always Healthy. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** Human-readable details. */
  message?: string;
  /** Error of the health check. */
  error?: string;
}

/** Health of a part of the control plane. Deprecated: use the health endpoints of the components. */
export type ComponentStatus = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Results of the health checks. */
  conditions?: KeyedList<ComponentCondition, 'type'>;
};

/** Configuration for pods to read as files or environment variables. For anything secret use a Secret. */
export type ConfigMap = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Once true, data and binaryData stay as they are, and so does this field. */
  immutable?: boolean;
  /** Values as text. Keys consist of letters, digits, `-`, `_` and `.`. */
  data?: Record<string, string>;
  /** Values as bytes; keys must not repeat those of data. */
  binaryData?: Record<string, string>;
};

/** Names a config map whose keys become environment variables. */
export interface ConfigMapEnvSource {
  /** Name of the object. */
  name?: string;
  /** The config map may be missing. */
  optional?: boolean;
}

/** Names a key of a config map. */
export interface ConfigMapKeySelector {
  /** Name of the object. */
  name?: string;
  /** The key. */
  key: string;
  /** The config map or key may be missing. */
  optional?: boolean;
}

/** References the config map with the configuration of a node agent. */
export interface ConfigMapNodeConfigSource {
  /** Namespace of the config map. */
  namespace: string;
  /** Name of the config map. */
  name: string;
  /** Identity of the config map; in status only. */
  uid?: string;
  /** Version of the config map; in status only. */
  resourceVersion?: string;
  /** Key whose value holds the configuration. */
  nodeagentConfigKey?: string;
  /** Key whose value holds the configuration. */
  kubeletConfigKey?: string;
}

/** Keys of a config map as part of a projected volume. */
export interface ConfigMapProjection {
  /** Name of the object. */
  name?: string;
  /** Keys to use, and the paths of their files; all keys when empty. */
  items?: KeyToPath[];
  /** The config map, or keys of it, may be missing. */
  optional?: boolean;
}

/** Files with the values of a config map, one per key. */
export interface ConfigMapVolumeSource {
  /** Name of the object. */
  name?: string;
  /** Keys to use, and the paths of their files; all keys when empty. */
  items?: KeyToPath[];
  /** Permission bits of the files. */
  defaultMode?: number;
  /** The config map, or keys of it, may be missing. */
  optional?: boolean;
  /** ID of the user that owns the files. */
  defaultUser?: Int64;
}

/** A program to run in a pod, with its image, environment and resources. */
export interface Container {
  /** Name within the pod. */
  name: string;
  /** Image to run. */
  image?: string;
  /** What to run instead of the image's entry point; no shell is involved. */
  command?: string[];
  /** Arguments, instead of those of the image. */
  args?: string[];
  /** Directory to start in; that of the image when empty. */
  workingDir?: string;
  /** Ports it listens on, for information. */
  ports?: KeyedList<ContainerPort, 'containerPort'>;
  /** Objects whose keys become environment variables. */
  envFrom?: EnvFromSource[];
  /** Environment variables. */
  env?: KeyedList<EnvVar, 'name'>;
  /** Compute resources it needs and may use. */
  resources?: ResourceRequirements;
  /** Action that a change of its resources requires. */
  resizePolicy?: ContainerResizePolicy[];
  /** When it is restarted, instead of as the pod says. An init container with Always runs beside the others. */
  restartPolicy?: string;
  /** Rules that are evaluated when the container ends, in their order, before restartPolicy. */
  restartPolicyRules?: ContainerRestartRule[];
  /** Volumes in its file system. */
  volumeMounts?: KeyedList<VolumeMount, 'mountPath'>;
  /** Volumes as block devices. */
  volumeDevices?: KeyedList<VolumeDevice, 'devicePath'>;
  /** When it fails, the container is restarted. */
  livenessProbe?: Probe;
  /** While it fails, the pod receives no traffic from services. */
  readinessProbe?: Probe;
  /** Until it succeeds, the other probes wait. */
  startupProbe?: Probe;
  /** Actions after the start and before the termination. */
  lifecycle?: Lifecycle;
  /** File whose content becomes the termination message. */
  terminationMessagePath?: string;
  /** Where that message comes from: File, or FallbackToLogsOnError. */
  terminationMessagePolicy?: string;
  /** When the image is fetched: Always, Never or IfNotPresent. */
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | (string & {});
  /** Security settings, which take precedence over those of the pod. */
  securityContext?: SecurityContext;
  /** Keeps standard input open. */
  stdin?: boolean;
  /** Closes standard input after the first client has disconnected. */
  stdinOnce?: boolean;
  /** Allocates a terminal. */
  tty?: boolean;
}

/** The request of a claim that provides an extended resource of a container. */
export interface ContainerExtendedResourceRequest {
  /** Name of the container. */
  containerName: string;
  /** Name of the extended resource. */
  resourceName: string;
  /** Name of the request of the claim. */
  requestName: string;
}

/** A container image that is on a node. */
export interface ContainerImage {
  /** Names of the image. */
  names?: string[] | null;
  /** Size in bytes. */
  sizeBytes?: Int64;
}

/** A port that a container listens on. */
export interface ContainerPort {
  /** Name that services can refer to. */
  name?: string;
  /** Port of the node that is forwarded to this port; rarely needed. */
  hostPort?: number;
  /** Port number in the pod. */
  containerPort: number;
  /** TCP, UDP or SCTP. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | (string & {});
  /** Address of the node to bind to. */
  hostIP?: string;
}

/** The action that a change of one resource of a container requires. */
export interface ContainerResizePolicy {
  /** Name of the resource. */
  resourceName: 'cpu' | 'memory' | (string & {});
  /** NotRequired, or RestartContainer. */
  restartPolicy: 'NotRequired' | 'RestartContainer' | (string & {});
}

/** What happens when a container ends with certain exit codes. */
export interface ContainerRestartRule {
  /** Restart, or RestartAllContainers. */
  action: 'Restart' | 'RestartAllContainers' | (string & {});
  /** Exit codes for which it applies. */
  exitCodes?: ContainerRestartRuleOnExitCodes;
}

/** Exit codes for which a rule applies. */
export interface ContainerRestartRuleOnExitCodes {
  /** In or NotIn: whether the exit code is one of the values. */
  operator: 'In' | 'NotIn' | (string & {});
  /** The exit codes. */
  values?: number[];
}

/** State of a container; one field is set, waiting when none is. */
export interface ContainerState {
  /** It does not run yet. */
  waiting?: ContainerStateWaiting;
  /** It runs. */
  running?: ContainerStateRunning;
  /** It has ended. */
  terminated?: ContainerStateTerminated;
}

/** The container runs. */
export interface ContainerStateRunning {
  /** When it started. */
  startedAt?: string | null;
}

/** The container has ended. */
export interface ContainerStateTerminated {
  /** Its exit status. */
  exitCode: number;
  /** Signal that ended it. */
  signal?: number;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
  /** When it had started. */
  startedAt?: string | null;
  /** When it ended. */
  finishedAt?: string | null;
  /** Its identity. */
  containerID?: string;
}

/** The container does not run yet. */
export interface ContainerStateWaiting {
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Observed state of one container. */
export interface ContainerStatus {
  /** Name within the pod. */
  name: string;
  /** Current state. */
  state?: ContainerState;
  /** Final state of the previous run. */
  lastState?: ContainerState;
  /** Whether its readiness probe succeeds. */
  ready: boolean;
  /** How often it was restarted. */
  restartCount: number;
  /** Image it runs. */
  image: string;
  /** Identity of that image. */
  imageID: string;
  /** Its identity. */
  containerID?: string;
  /** Whether its startup probe has succeeded. */
  started?: boolean;
  /** Resources that the node has allocated for it. */
  allocatedResources?: Record<string, string>;
  /** Requests and limits in effect. */
  resources?: ResourceRequirements;
  /** State of its mounts. */
  volumeMounts?: KeyedList<VolumeMountStatus, 'mountPath'>;
  /** User of its first process. */
  user?: ContainerUser;
  /** Health of its resources. */
  allocatedResourcesStatus?: KeyedList<ResourceStatus, 'name'>;
  /** Signal that ends it. */
  stopSignal?: string;
}

/** User of the first process of a container. */
export interface ContainerUser {
  /** User of a container of Linux. */
  linux?: LinuxContainerUser;
}

/** Endpoint of a daemon. */
export interface DaemonEndpoint {
  /** Port number. */
  Port: number;
}

/** Fields of the pod as part of a projected volume. */
export interface DownwardAPIProjection {
  /** The files. */
  items?: DownwardAPIVolumeFile[];
}

/** A file with a field, limit or request of the pod. */
export interface DownwardAPIVolumeFile {
  /** File to write, relative to the volume. */
  path: string;
  /** Field of the pod. */
  fieldRef?: ObjectFieldSelector;
  /** Resource limit or request of a container. */
  resourceFieldRef?: ResourceFieldSelector;
  /** Permission bits of the file; those of the volume when absent. */
  mode?: number;
  /** ID of the user that owns the file; that of the volume when absent. */
  user?: Int64;
}

/** Fields of the pod, each as a file. */
export interface DownwardAPIVolumeSource {
  /** The files. */
  items?: DownwardAPIVolumeFile[];
  /** Permission bits of the files. */
  defaultMode?: number;
  /** ID of the user that owns the files. */
  defaultUser?: Int64;
}

/** An initially empty directory that exists as long as the pod. */
export interface EmptyDirVolumeSource {
  /** Storage medium: the node's disk when empty, or Memory or HugePages. */
  medium?: string;
  /** Maximum size. */
  sizeLimit?: string;
  /** Permission bits of the directory. */
  mode?: number;
}

/** One address of an endpoint, and the object that has it. */
export interface EndpointAddress {
  /** IPv4 or IPv6 address; not a loopback or link-local one. */
  ip: string;
  /** Host name of the endpoint. */
  hostname?: string;
  /** Node that hosts the endpoint. */
  nodeName?: string;
  /** Object that has the address, usually a pod. */
  targetRef?: ObjectReference;
}

/** One port that the addresses of a subset serve. */
export interface EndpointPort {
  /** Name of the port, as in the service; may be left out when there is only one. */
  name?: string;
  /** Port number. */
  port: number;
  /** TCP, UDP or SCTP. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | (string & {});
  /** Application protocol, such as `http`. */
  appProtocol?: string;
}

/** Addresses that all serve the same ports: every combination of an address and a port is an endpoint. */
export interface EndpointSubset {
  /** Addresses that are ready for traffic. */
  addresses?: EndpointAddress[];
  /** Addresses that serve these ports but are not ready. */
  notReadyAddresses?: EndpointAddress[];
  /** Ports of these addresses. */
  ports?: EndpointPort[];
}

/** The addresses of the service of the same name. */
export type Endpoints = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Groups of addresses with the same ports. */
  subsets?: EndpointSubset[];
};

/** Defines an environment variable for every key of an object. */
export interface EnvFromSource {
  /** Put before every key. */
  prefix?: string;
  /** The config map to use. */
  configMapRef?: ConfigMapEnvSource;
  /** The secret to use. */
  secretRef?: SecretEnvSource;
}

/** One environment variable. */
export interface EnvVar {
  /** Name of the variable. */
  name: string;
  /** The value; `$(NAME)` stands for variables defined before, `$$` for a dollar sign. */
  value?: string;
  /** Where the value comes from, instead of value. */
  valueFrom?: EnvVarSource;
}

/** Where the value of an environment variable comes from; one field is set. */
export interface EnvVarSource {
  /** A field of the pod. */
  fieldRef?: ObjectFieldSelector;
  /** A limit or request of a container. */
  resourceFieldRef?: ResourceFieldSelector;
  /** A key of a config map. */
  configMapKeyRef?: ConfigMapKeySelector;
  /** A key of a secret. */
  secretKeyRef?: SecretKeySelector;
  /** A key of a file in a volume. */
  fileKeyRef?: FileKeySelector;
}

/** A container that is added to a running pod for debugging. It is never restarted and cannot be removed. */
export interface EphemeralContainer {
  /** Name within the pod. */
  name: string;
  /** Image to run. */
  image?: string;
  /** What to run instead of the image's entry point; no shell is involved. */
  command?: string[];
  /** Arguments, instead of those of the image. */
  args?: string[];
  /** Directory to start in; that of the image when empty. */
  workingDir?: string;
  /** Not allowed. */
  ports?: KeyedList<ContainerPort, 'containerPort'>;
  /** Objects whose keys become environment variables. */
  envFrom?: EnvFromSource[];
  /** Environment variables. */
  env?: KeyedList<EnvVar, 'name'>;
  /** Not allowed: the container shares the resources of the pod. */
  resources?: ResourceRequirements;
  /** Action that a change of its resources requires. */
  resizePolicy?: ContainerResizePolicy[];
  /** When it is restarted, instead of as the pod says. An init container with Always runs beside the others. */
  restartPolicy?: string;
  /** Rules that are evaluated when the container ends, in their order, before restartPolicy. */
  restartPolicyRules?: ContainerRestartRule[];
  /** Volumes in its file system. */
  volumeMounts?: KeyedList<VolumeMount, 'mountPath'>;
  /** Volumes as block devices. */
  volumeDevices?: KeyedList<VolumeDevice, 'devicePath'>;
  /** Not allowed. */
  livenessProbe?: Probe;
  /** Not allowed. */
  readinessProbe?: Probe;
  /** Not allowed. */
  startupProbe?: Probe;
  /** Not allowed. */
  lifecycle?: Lifecycle;
  /** File whose content becomes the termination message. */
  terminationMessagePath?: string;
  /** Where that message comes from: File, or FallbackToLogsOnError. */
  terminationMessagePolicy?: string;
  /** When the image is fetched: Always, Never or IfNotPresent. */
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | (string & {});
  /** Security settings, which take precedence over those of the pod. */
  securityContext?: SecurityContext;
  /** Keeps standard input open. */
  stdin?: boolean;
  /** Closes standard input after the first client has disconnected. */
  stdinOnce?: boolean;
  /** Allocates a terminal. */
  tty?: boolean;
  /** Container whose process namespace it joins. */
  targetContainerName?: string;
}

/** A claim that is created and deleted with the pod. */
export interface EphemeralVolumeSource {
  /** Template of the claim. */
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

/** Something that happened to an object, kept for a limited time. Reasons and messages may change; programs should not depend on them. */
export type Event = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The object it happened to. */
  involvedObject: ObjectReference;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
  /** Who reported it. */
  source?: EventSource;
  /** When it was first reported. */
  firstTimestamp?: string | null;
  /** When it was last reported. */
  lastTimestamp?: string | null;
  /** Number of occurrences. */
  count?: number;
  /** Normal or Warning; others may come. */
  type?: string;
  /** When it was first seen, to the microsecond. */
  eventTime?: string | null;
  /** Set when the event occurs repeatedly. */
  series?: EventSeries;
  /** Action that was taken, or that failed. */
  action?: string;
  /** A second object that is involved. */
  related?: ObjectReference;
  /** Controller that reported it. */
  reportingComponent?: string;
  /** ID of the controller instance. */
  reportingInstance?: string;
};

/** Repeated occurrences of an event. */
export interface EventSeries {
  /** Occurrences so far. */
  count?: number;
  /** When it was last seen. */
  lastObservedTime?: string | null;
  /** Whether the series continues: Ongoing, Finished or Unknown. */
  state?: string;
}

/** Source of an event, in the older form. */
export interface EventSource {
  /** Program that reported it. */
  component?: string;
  /** Node it ran on. */
  host?: string;
}

/** A program that responds to requests for the eviction of a pod. */
export interface EvictionResponder {
  /** Name of the program, after its domain. */
  name: string;
  /** Order of the programs, highest first. */
  priority: number;
}

/** Runs a command in the container; exit status 0 is success. */
export interface ExecAction {
  /** The command and its arguments; no shell is involved. */
  command?: string[];
}

/** Location of a Fibre Channel disk, with the options of its mount. */
export interface FCVolumeSource {
  /** World wide names of the targets. */
  targetWWNs?: string[];
  /** Number of the logical unit. */
  lun?: number;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** World wide identifiers, instead of targetWWNs and lun. */
  wwids?: string[];
}

/** Names a key of a file in a volume of the pod. */
export interface FileKeySelector {
  /** Name of the volume. */
  volumeName: string;
  /** Path of the file, relative to the volume. */
  path: string;
  /** The key. */
  key: string;
  /** The file or key may be missing. */
  optional?: boolean;
}

/** Location of a volume of an exec based driver, with the options of its mount. */
export interface FlexPersistentVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Secret with the credentials for the storage. */
  secretRef?: SecretReference;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Options for the driver. */
  options?: Record<string, string>;
}

/** Location of a volume of an exec based driver, with the options of its mount. */
export interface FlexVolumeSource {
  /** Name of the driver. */
  driver: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Secret with the credentials for the storage. */
  secretRef?: LocalObjectReference;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Options for the driver. */
  options?: Record<string, string>;
}

/** A Flocker volume; one field is set. */
export interface FlockerVolumeSource {
  /** Name of the dataset. */
  datasetName?: string;
  /** Identity of the dataset. */
  datasetUUID?: string;
}

/** Location of a disk of Google Compute Engine, with the options of its mount. */
export interface GCEPersistentDiskVolumeSource {
  /** Name of the disk. */
  pdName: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Partition to mount; the whole device when 0. */
  partition?: number;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Calls the gRPC health service. */
export interface GRPCAction {
  /** Port of the service. */
  port: number;
  /** Service name in the request. */
  service?: string | null;
  /** Plaintext or TLS. */
  mode?: 'Plaintext' | 'TLS' | (string & {});
}

/** A directory with a checkout. Deprecated: fetch in an init container instead. */
export interface GitRepoVolumeSource {
  /** Address of the repository. */
  repository: string;
  /** Commit to check out. */
  revision?: string;
  /** Directory to check out into. */
  directory?: string;
}

/** Location of a Glusterfs volume, with the options of its mount. */
export interface GlusterfsPersistentVolumeSource {
  /** Endpoints object that names the servers. */
  endpoints: string;
  /** Name of the volume. */
  path: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Namespace of the endpoints; that of the claim when absent. */
  endpointsNamespace?: string;
}

/** Location of a Glusterfs volume, with the options of its mount. */
export interface GlusterfsVolumeSource {
  /** Endpoints object that names the servers. */
  endpoints: string;
  /** Name of the volume. */
  path: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Sends an HTTP GET request; a status from 200 to 399 is success. */
export interface HTTPGetAction {
  /** Path of the request. */
  path?: string;
  /** Number or name of the port. */
  port: number | string;
  /** Host of the request; the pod's address when empty. */
  host?: string;
  /** HTTP or HTTPS. */
  scheme?: 'HTTP' | 'HTTPS' | (string & {});
  /** Headers to send. */
  httpHeaders?: HTTPHeader[];
  /** HTTP1, or HTTP2 without TLS. */
  protocol?: 'HTTP1' | 'HTTP2' | (string & {});
}

/** One header of a request. */
export interface HTTPHeader {
  /** Name of the header. */
  name: string;
  /** Value of the header. */
  value: string;
}

/** A line of the hosts file. */
export interface HostAlias {
  /** Address of the line. */
  ip?: string;
  /** Names of the line. */
  hostnames?: string[];
}

/** One address of a node. */
export interface HostIP {
  /** The address. */
  ip?: string;
}

/** A file or directory of the node. Gives pods access to the node, which is a security risk. */
export interface HostPathVolumeSource {
  /** Path on the node. */
  path: string;
  /** Type of the file that must exist at the path, or is created there. */
  type?:
    | 'BlockDevice'
    | 'CharDevice'
    | 'Directory'
    | 'DirectoryOrCreate'
    | 'File'
    | 'FileOrCreate'
    | 'Socket'
    | (string & {});
}

/** Location of an iSCSI disk, with the options of its mount. */
export interface ISCSIPersistentVolumeSource {
  /** Address of the target, with the port unless it is the default one. */
  targetPortal: string;
  /** Qualified name of the target. */
  iqn: string;
  /** Number of the logical unit. */
  lun: number;
  /** Interface to use. */
  iscsiInterface?: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Further addresses of the target. */
  portals?: string[];
  /** Discovery uses CHAP authentication. */
  chapAuthDiscovery?: boolean;
  /** Sessions use CHAP authentication. */
  chapAuthSession?: boolean;
  /** Secret with the credentials for the storage. */
  secretRef?: SecretReference;
  /** Name of the initiator. */
  initiatorName?: string;
}

/** Location of an iSCSI disk, with the options of its mount. */
export interface ISCSIVolumeSource {
  /** Address of the target, with the port unless it is the default one. */
  targetPortal: string;
  /** Qualified name of the target. */
  iqn: string;
  /** Number of the logical unit. */
  lun: number;
  /** Interface to use. */
  iscsiInterface?: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Further addresses of the target. */
  portals?: string[];
  /** Discovery uses CHAP authentication. */
  chapAuthDiscovery?: boolean;
  /** Sessions use CHAP authentication. */
  chapAuthSession?: boolean;
  /** Secret with the credentials for the storage. */
  secretRef?: LocalObjectReference;
  /** Name of the initiator. */
  initiatorName?: string;
}

/** An image or artifact whose content is mounted. */
export interface ImageVolumeSource {
  /** Name of the image; required in pods. */
  reference?: string;
  /** When it is fetched: Always, Never or IfNotPresent. */
  pullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | (string & {});
}

/** State of a mounted image. */
export interface ImageVolumeStatus {
  /** Identity of the image. */
  imageRef: string;
}

/** Writes the value of one key to a file. */
export interface KeyToPath {
  /** Key to use. */
  key: string;
  /** File to write, relative to the volume. */
  path: string;
  /** Permission bits of the file; those of the volume when absent. */
  mode?: number;
  /** ID of the user that owns the file; that of the volume when absent. */
  user?: Int64;
}

/** Actions after a container was started and before it is terminated. */
export interface Lifecycle {
  /** Action directly after the start; when it fails, the container is terminated. */
  postStart?: LifecycleHandler;
  /** Action before the container is terminated by a request. */
  preStop?: LifecycleHandler;
  /** Signal that ends the container, such as SIGTERM; that of the image when absent. The pod must set os. */
  stopSignal?:
    | 'SIGABRT'
    | 'SIGALRM'
    | 'SIGBUS'
    | 'SIGCHLD'
    | 'SIGCLD'
    | 'SIGCONT'
    | 'SIGFPE'
    | 'SIGHUP'
    | 'SIGILL'
    | 'SIGINT'
    | 'SIGIO'
    | 'SIGIOT'
    | 'SIGKILL'
    | 'SIGPIPE'
    | 'SIGPOLL'
    | 'SIGPROF'
    | 'SIGPWR'
    | 'SIGQUIT'
    | 'SIGRTMAX'
    | 'SIGRTMAX-1'
    | 'SIGRTMAX-10'
    | 'SIGRTMAX-11'
    | 'SIGRTMAX-12'
    | 'SIGRTMAX-13'
    | 'SIGRTMAX-14'
    | 'SIGRTMAX-2'
    | 'SIGRTMAX-3'
    | 'SIGRTMAX-4'
    | 'SIGRTMAX-5'
    | 'SIGRTMAX-6'
    | 'SIGRTMAX-7'
    | 'SIGRTMAX-8'
    | 'SIGRTMAX-9'
    | 'SIGRTMIN'
    | 'SIGRTMIN+1'
    | 'SIGRTMIN+10'
    | 'SIGRTMIN+11'
    | 'SIGRTMIN+12'
    | 'SIGRTMIN+13'
    | 'SIGRTMIN+14'
    | 'SIGRTMIN+15'
    | 'SIGRTMIN+2'
    | 'SIGRTMIN+3'
    | 'SIGRTMIN+4'
    | 'SIGRTMIN+5'
    | 'SIGRTMIN+6'
    | 'SIGRTMIN+7'
    | 'SIGRTMIN+8'
    | 'SIGRTMIN+9'
    | 'SIGSEGV'
    | 'SIGSTKFLT'
    | 'SIGSTOP'
    | 'SIGSYS'
    | 'SIGTERM'
    | 'SIGTRAP'
    | 'SIGTSTP'
    | 'SIGTTIN'
    | 'SIGTTOU'
    | 'SIGURG'
    | 'SIGUSR1'
    | 'SIGUSR2'
    | 'SIGVTALRM'
    | 'SIGWINCH'
    | 'SIGXCPU'
    | 'SIGXFSZ'
    | (string & {});
}

/** Action at a point of a container's lifecycle; one field is set. */
export interface LifecycleHandler {
  /** Runs a command. */
  exec?: ExecAction;
  /** Sends an HTTP request. */
  httpGet?: HTTPGetAction;
  /** Not supported; kept for old objects. */
  tcpSocket?: TCPSocketAction;
  /** Waits. */
  sleep?: SleepAction;
}

/** Bounds and defaults for the resources that single pods, containers and claims of a namespace may request. */
export type LimitRange = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: LimitRangeSpec;
};

/** Bounds and defaults for objects of one type. */
export interface LimitRangeItem {
  /** Type of the bounded objects: Pod, Container or PersistentVolumeClaim. */
  type: string;
  /** Upper bounds by resource. */
  max?: Record<string, string>;
  /** Lower bounds by resource. */
  min?: Record<string, string>;
  /** Limits for containers that name none. */
  default?: Record<string, string>;
  /** Requests for containers that name none. */
  defaultRequest?: Record<string, string>;
  /** How far a limit may be above the request, as a factor. */
  maxLimitRequestRatio?: Record<string, string>;
}

/** The bounds of a namespace. */
export interface LimitRangeSpec {
  /** One entry per type. */
  limits: LimitRangeItem[] | null;
}

/** User of a process of Linux. */
export interface LinuxContainerUser {
  /** User ID. */
  uid: Int64;
  /** Group ID. */
  gid: Int64;
  /** IDs of further groups. */
  supplementalGroups?: Int64[];
}

/** Where a load balancer accepts traffic. */
export interface LoadBalancerIngress {
  /** Its address. */
  ip?: string;
  /** Its name. */
  hostname?: string;
  /** VIP or Proxy: whether traffic arrives with the address of the load balancer or that of a node or pod. */
  ipMode?: 'Proxy' | 'VIP' | (string & {});
  /** State of its ports. */
  ports?: PortStatus[];
}

/** State of a load balancer. */
export interface LoadBalancerStatus {
  /** Where it accepts traffic. */
  ingress?: LoadBalancerIngress[];
}

/** Names an object of the same namespace. */
export interface LocalObjectReference {
  /** Name of the object. */
  name?: string;
}

/** A disk, partition or directory of one node. */
export interface LocalVolumeSource {
  /** Path on the node. */
  path: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
}

/** State of a change of the attributes class of a volume. */
export interface ModifyVolumeStatus {
  /** Class that the volume is changed to. */
  targetVolumeAttributesClassName?: string;
  /** Pending, InProgress or Infeasible. */
  status: string;
}

/** Location of an NFS export, with the options of its mount. */
export interface NFSVolumeSource {
  /** Name or address of the server. */
  server: string;
  /** Exported path. */
  path: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** A scope for names: objects of the same resource may have the same name in different namespaces. */
export type Namespace = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: NamespaceSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: NamespaceStatus;
};

/** One aspect of the deletion of a namespace. */
export interface NamespaceCondition {
  /** Type of the condition of the deletion. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Finalizers of a namespace. */
export interface NamespaceSpec {
  /** Tasks that must be completed before the namespace is deleted. Changed through the finalize subresource only. */
  finalizers?: string[];
}

/** Lifecycle state of a namespace. */
export interface NamespaceStatus {
  /** Active or Terminating. */
  phase?: string;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<NamespaceCondition, 'type'>;
}

/** A machine that runs pods. */
export type Node = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: NodeSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: NodeStatus;
};

/** One address of a node. */
export interface NodeAddress {
  /** Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS. */
  type: string;
  /** The address. */
  address: string;
}

/** Required and preferred nodes of a pod. */
export interface NodeAffinity {
  /** Eligible nodes. Not evaluated again once the pod runs. */
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  /** Preferred nodes, by weight. */
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
}

/** An amount of a resource that all containers with a claim share. */
export interface NodeAllocatableMappedResources {
  /** Name of the resource. */
  name: string;
  /** The amount. */
  quantity: string | null;
}

/** Amounts of a resource for a pod and for each of its containers with a claim. */
export interface NodeAllocatableOverheadResources {
  /** Name of the resource. */
  name: string;
  /** Amount for the pod. */
  perPod?: string;
  /** Amount for each container. */
  perContainer?: string;
}

/** Allocatable resources of the node that a claim uses. */
export interface NodeAllocatableResourceClaimStatus {
  /** Name of the claim. */
  resourceClaimName: string;
  /** Containers that use the claim. */
  containers?: string[];
  /** Amounts by resource. */
  resources: Record<string, string> | null;
  /** Amounts that the devices stand for. */
  mapping?: KeyedList<NodeAllocatableMappedResources, 'name'>;
  /** Amounts that the use of the devices takes besides. */
  overhead?: KeyedList<NodeAllocatableOverheadResources, 'name'>;
}

/** One aspect of the state of a node. */
export interface NodeCondition {
  /** Ready, MemoryPressure, DiskPressure, PIDPressure or NetworkUnavailable. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the condition was last reported. */
  lastHeartbeatTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Source of the configuration of a node agent; one field is set. */
export interface NodeConfigSource {
  /** A config map. */
  configMap?: ConfigMapNodeConfigSource;
}

/** The configuration that a node agent uses. */
export interface NodeConfigStatus {
  /** Configuration that is assigned to the node agent. */
  assigned?: NodeConfigSource;
  /** Configuration in use. */
  active?: NodeConfigSource;
  /** Configuration that is used when the assigned one fails. */
  lastKnownGood?: NodeConfigSource;
  /** Why the assigned one could not be used. */
  error?: string;
}

/** Endpoints of the daemons of a node. */
export interface NodeDaemonEndpoints {
  /** Endpoint of the node agent. */
  nodeagentEndpoint?: DaemonEndpoint;
  /** Endpoint of the node agent. */
  kubeletEndpoint?: DaemonEndpoint;
}

/** Features of the runtime of a node. */
export interface NodeFeatures {
  /** Supports supplementalGroupsPolicy of pods. */
  supplementalGroupsPolicy?: boolean;
}

/** Limits of the removal of pods for others. */
export interface NodePodPreemptionPolicy {
  /** Owners, by their domains, that forbid to remove pods for a resize of another. */
  disableResizePreemption?: string[];
}

/** A runtime handler of a node. */
export interface NodeRuntimeHandler {
  /** Name of the handler; empty for the default one. */
  name?: string;
  /** Features of the handler. */
  features?: NodeRuntimeHandlerFeatures;
}

/** Features of a runtime handler. */
export interface NodeRuntimeHandlerFeatures {
  /** Mounts can be read-only with all mounts below. */
  recursiveReadOnlyMounts?: boolean;
  /** Pods can have user namespaces. */
  userNamespaces?: boolean;
}

/** Selects the nodes that satisfy at least one of its terms. */
export interface NodeSelector {
  /** The terms. */
  nodeSelectorTerms: NodeSelectorTerm[];
}

/** One condition on a label or field of nodes. */
export interface NodeSelectorRequirement {
  /** Label or field that the condition applies to. */
  key: string;
  /** In, NotIn, Exists, DoesNotExist, Gt or Lt. */
  operator: string;
  /** Values to compare with: some for In and NotIn, none for Exists and DoesNotExist, one number for Gt and Lt. */
  values?: string[];
}

/** Conditions on nodes that must all hold. Without any it selects no node. */
export interface NodeSelectorTerm {
  /** Conditions on labels. */
  matchExpressions?: NodeSelectorRequirement[];
  /** Conditions on fields. */
  matchFields?: NodeSelectorRequirement[];
}

/** Configuration of a node. */
export interface NodeSpec {
  /** Address range for pods of the node. */
  podCIDR?: string;
  /** Address ranges for pods, at most one per address family; the first is podCIDR. */
  podCIDRs?: string[];
  /** Identifier of the machine at the cloud provider. */
  providerID?: string;
  /** No new pods are placed on the node. */
  unschedulable?: boolean;
  /** Taints that pods must tolerate to run on the node. */
  taints?: Taint[];
  /** Source of the configuration of the node agent. */
  configSource?: NodeConfigSource;
  /** Not used any more. */
  externalID?: string;
  /** Which pods may be removed for others. */
  podPreemptionPolicy?: NodePodPreemptionPolicy;
}

/** Observed state of a node. */
export interface NodeStatus {
  /** Total resources of the machine. */
  capacity?: Record<string, string>;
  /** Resources that are available to pods; same as capacity when not reported. */
  allocatable?: Record<string, string>;
  /** No longer set. */
  phase?: string;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<NodeCondition, 'type'>;
  /** Addresses at which the node can be reached. */
  addresses?: KeyedList<NodeAddress, 'type'>;
  /** Endpoints of the daemons of the node. */
  daemonEndpoints?: NodeDaemonEndpoints;
  /** Versions and identities. */
  nodeInfo?: NodeSystemInfo;
  /** Container images on the node. */
  images?: ContainerImage[];
  /** Attachable volumes that are mounted. */
  volumesInUse?: string[];
  /** Volumes that are attached. */
  volumesAttached?: AttachedVolume[];
  /** State of the agent's dynamic configuration. */
  config?: NodeConfigStatus;
  /** Runtime handlers of the node. */
  runtimeHandlers?: NodeRuntimeHandler[];
  /** Features of the container runtime. */
  features?: NodeFeatures;
  /** Features that the node declares. */
  declaredFeatures?: string[];
}

/** Swap memory of a node. */
export interface NodeSwapStatus {
  /** Size in bytes. */
  capacity?: Int64;
}

/** System information of a node. */
export interface NodeSystemInfo {
  /** Identity of the installed system. */
  machineID: string;
  /** Identity of the machine. */
  systemUUID: string;
  /** Identity of the present boot. */
  bootID: string;
  /** Version of the kernel. */
  kernelVersion: string;
  /** Name of the operating system. */
  osImage: string;
  /** Name and version of the container runtime. */
  containerRuntimeVersion: string;
  /** Version of the node agent. */
  nodeagentVersion?: string;
  /** Version of the node agent. */
  kubeletVersion?: string;
  /** Version of the network proxy. */
  orchProxyVersion?: string;
  /** Version of the network proxy. */
  kubeProxyVersion?: string;
  /** Operating system, such as linux. */
  operatingSystem: string;
  /** Processor architecture, such as amd64. */
  architecture: string;
  /** Swap memory of the node. */
  swap?: NodeSwapStatus;
  /** Whether the node agent runs in a user namespace. */
  runningInUserNamespace?: boolean;
}

/** Names a field of the pod. */
export interface ObjectFieldSelector {
  /** Version that the path is written for. */
  apiVersion?: string;
  /** Path of the field, such as metadata.name. */
  fieldPath: string;
}

/** Points to another object, or to a part of one. */
export interface ObjectReference {
  /** Kind of the object. */
  kind?: string;
  /** Namespace of the object. */
  namespace?: string;
  /** Name of the object. */
  name?: string;
  /** Identity of the object. */
  uid?: string;
  /** Version of the object. */
  apiVersion?: string;
  /** Version of the object, if any. */
  resourceVersion?: string;
  /** Part of the object, such as `spec.containers{web}`. */
  fieldPath?: string;
}

/** A piece of storage of the cluster, set up by an administrator or on demand. */
export type PersistentVolume = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PersistentVolumeSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: PersistentVolumeStatus;
};

/** A user's request for storage, and claim to the volume that satisfies it. */
export type PersistentVolumeClaim = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PersistentVolumeClaimSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: PersistentVolumeClaimStatus;
};

/** One aspect of the state of a claim. */
export interface PersistentVolumeClaimCondition {
  /** Such as Resizing. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the condition was last checked. */
  lastProbeTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** The requested storage. */
export interface PersistentVolumeClaimSpec {
  /** Access modes that the volume must support. */
  accessModes?: string[];
  /** Labels of eligible volumes. */
  selector?: meta.LabelSelector;
  /** Least size, as request of `storage`. */
  resources?: VolumeResourceRequirements;
  /** Volume that the claim is bound to. */
  volumeName?: string;
  /** Requested storage class. */
  storageClassName?: string;
  /** Whether it is used with a file system or as a raw block device. */
  volumeMode?: 'Block' | 'Filesystem' | (string & {});
  /** Snapshot or claim whose content the new volume receives. */
  dataSource?: TypedLocalObjectReference;
  /** As dataSource, for objects of any kind. */
  dataSourceRef?: TypedObjectReference;
  /** Requested attributes class. */
  volumeAttributesClassName?: string;
}

/** Observed state of a claim. */
export interface PersistentVolumeClaimStatus {
  /** Pending, Bound or Lost. */
  phase?: string;
  /** Access modes of the bound volume. */
  accessModes?: string[];
  /** Size of the bound volume. */
  capacity?: Record<string, string>;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<PersistentVolumeClaimCondition, 'type'>;
  /** Size that is being allocated, during an expansion. */
  allocatedResources?: Record<string, string>;
  /** State of the expansion. */
  resizeStatus?: string;
  /** State of the expansion, by resource. */
  allocatedResourceStatuses?: Record<string, string>;
  /** Attributes class in effect. */
  currentVolumeAttributesClassName?: string;
  /** State of a change of the attributes class. */
  modifyVolumeStatus?: ModifyVolumeStatus;
  /** Health of the volume, as its driver reports it. */
  healthStatus?: VolumeHealthStatus;
}

/** Template of claims, one per pod. */
export interface PersistentVolumeClaimTemplate {
  /** Labels and annotations of the claims. */
  metadata?: ObjectMeta;
  /** Desired state of the object. */
  spec: PersistentVolumeClaimSpec;
}

/** The volume that a claim of the same namespace is bound to. */
export interface PersistentVolumeClaimVolumeSource {
  /** Name of the claim. */
  claimName: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Where the storage of a volume is, and how it may be used. */
export interface PersistentVolumeSpec {
  /** Size, under the resource `storage`. */
  capacity?: Record<string, string>;
  /** A disk of Google Compute Engine. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** An AWS disk. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** A directory of the node, for tests on a single one. */
  hostPath?: HostPathVolumeSource;
  /** A Glusterfs volume. */
  glusterfs?: GlusterfsPersistentVolumeSource;
  /** An NFS export. */
  nfs?: NFSVolumeSource;
  /** A Ceph block device. */
  rbd?: RBDPersistentVolumeSource;
  /** An iSCSI disk. */
  iscsi?: ISCSIPersistentVolumeSource;
  /** An OpenStack volume. */
  cinder?: CinderPersistentVolumeSource;
  /** A Ceph file system. */
  cephfs?: CephFSPersistentVolumeSource;
  /** A Fibre Channel disk. */
  fc?: FCVolumeSource;
  /** A Flocker volume. */
  flocker?: FlockerVolumeSource;
  /** A volume of an exec based driver. */
  flexVolume?: FlexPersistentVolumeSource;
  /** An Azure file share. */
  azureFile?: AzureFilePersistentVolumeSource;
  /** A vSphere disk. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** A Quobyte volume. */
  quobyte?: QuobyteVolumeSource;
  /** An Azure disk. */
  azureDisk?: AzureDiskVolumeSource;
  /** A Photon disk. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** A Portworx volume. */
  portworxVolume?: PortworxVolumeSource;
  /** A ScaleIO volume. */
  scaleIO?: ScaleIOPersistentVolumeSource;
  /** Storage of one node. */
  local?: LocalVolumeSource;
  /** A StorageOS volume. */
  storageos?: StorageOSPersistentVolumeSource;
  /** A volume of a CSI driver. */
  csi?: CSIPersistentVolumeSource;
  /** Access modes of the volume. */
  accessModes?: string[];
  /** Claim that the volume is bound to. */
  claimRef?: ObjectReference;
  /** What happens to the volume when its claim is deleted: Retain, Delete or Recycle. */
  persistentVolumeReclaimPolicy?: 'Delete' | 'Recycle' | 'Retain' | (string & {});
  /** Class that the volume belongs to; none when empty. */
  storageClassName?: string;
  /** Options for mounting; not validated. */
  mountOptions?: string[];
  /** Whether it is used with a file system or as a raw block device. */
  volumeMode?: 'Block' | 'Filesystem' | (string & {});
  /** Nodes from which the volume can be reached. */
  nodeAffinity?: VolumeNodeAffinity;
  /** Attributes class of the volume. */
  volumeAttributesClassName?: string;
}

/** Lifecycle state of a volume. */
export interface PersistentVolumeStatus {
  /** Pending, Available, Bound, Released or Failed. */
  phase?: string;
  /** Human-readable details. */
  message?: string;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** When the phase last changed. */
  lastPhaseTransitionTime?: string;
}

/** Location of a Photon disk, with the options of its mount. */
export interface PhotonPersistentDiskVolumeSource {
  /** Identity of the disk. */
  pdID: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
}

/** A group of containers that run together on one node, sharing its network address and volumes. */
export type Pod = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: PodSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: PodStatus;
};

/** Pods near which a pod must or should run. */
export interface PodAffinity {
  /** Must hold at scheduling time. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  /** Should hold at scheduling time. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}

/** Pods near which, or apart from which, a pod runs, and the topology that defines nearness. */
export interface PodAffinityTerm {
  /** Labels of those pods. */
  labelSelector?: meta.LabelSelector;
  /** Namespaces of those pods; that of this pod when empty. */
  namespaces?: string[];
  /** Node label whose value is the same for nodes that are near each other. */
  topologyKey: string;
  /** Labels of the namespaces of those pods. */
  namespaceSelector?: meta.LabelSelector;
  /** Labels of this pod whose values those pods must have, too. */
  matchLabelKeys?: string[];
  /** Labels of this pod whose values those pods must not have. */
  mismatchLabelKeys?: string[];
}

/** Pods near which a pod must not or should not run. */
export interface PodAntiAffinity {
  /** Must hold at scheduling time. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  /** Should hold at scheduling time. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}

/** A private key of the pod, and a certificate that a signer issues for it. */
export interface PodCertificateProjection {
  /** Signer that issues the certificate. */
  signerName: string;
  /** RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519. */
  keyType: 'ECDSAP256' | 'ECDSAP384' | 'ECDSAP521' | 'ED25519' | 'RSA3072' | 'RSA4096' | (string & {});
  /** Longest validity of the certificate. */
  maxExpirationSeconds?: number;
  /** File for the key and the certificates together. */
  credentialBundlePath?: string;
  /** File for the key. */
  keyPath?: string;
  /** File for the certificates. */
  certificateChainPath?: string;
  /** Information for the signer, by keys with a domain. */
  userAnnotations?: Record<string, string>;
  /** ID of the user that owns the file; that of the volume when absent. */
  user?: Int64;
}

/** One aspect of the state of a pod. */
export interface PodCondition {
  /** PodScheduled, Initialized, ContainersReady, Ready, or one of a readiness gate. */
  type: string;
  /** Generation of the pod that the condition describes. */
  observedGeneration?: Int64;
  /** True, False or Unknown. */
  status: string;
  /** When the condition was last checked. */
  lastProbeTime?: string | null;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Resolver settings of a pod, added to those of dnsPolicy. */
export interface PodDNSConfig {
  /** Addresses of name servers. */
  nameservers?: string[];
  /** Search domains. */
  searches?: string[];
  /** Options of the resolver. */
  options?: PodDNSConfigOption[];
}

/** One option of the resolver. */
export interface PodDNSConfigOption {
  /** Name of the option. */
  name?: string;
  /** Value of the option. */
  value?: string;
}

/** The claim that provides extended resources of the pod. */
export interface PodExtendedResourceClaimStatus {
  /** Requests by container and resource. */
  requestMappings: ContainerExtendedResourceRequest[] | null;
  /** Name of the claim. */
  resourceClaimName: string;
}

/** One address of a pod. */
export interface PodIP {
  /** The address. */
  ip?: string;
}

/** Operating system of the containers of a pod. */
export interface PodOS {
  /** linux or windows. */
  name: 'linux' | 'windows' | (string & {});
}

/** Names a condition that must hold before a pod counts as ready. */
export interface PodReadinessGate {
  /** Type of the condition. */
  conditionType: string;
}

/** A resource claim that containers of the pod can use. */
export interface PodResourceClaim {
  /** Name within the pod. */
  name: string;
  /** Where the claim comes from. */
  source?: ClaimSource;
  /** A ResourceClaim in the namespace of the pod. */
  resourceClaimName?: string;
  /** A ResourceClaimTemplate in the namespace of the pod, of which each pod gets a claim. */
  resourceClaimTemplateName?: string;
}

/** The claim that was created for an entry of resourceClaims. */
export interface PodResourceClaimStatus {
  /** Name of the entry. */
  name: string;
  /** Name of the claim; absent when none is needed. */
  resourceClaimName?: string;
}

/** Names something that has to happen before the pod is placed on a node. */
export interface PodSchedulingGate {
  /** Name of the gate. */
  name: string;
}

/** Names the group of pods with which a pod is placed on nodes. */
export interface PodSchedulingGroup {
  /** Name of the pod group. */
  podGroupName?: string;
}

/** Security settings of all containers of a pod. */
export interface PodSecurityContext {
  /** SELinux labels. */
  seLinuxOptions?: SELinuxOptions;
  /** Settings of Windows containers. */
  windowsOptions?: WindowsSecurityContextOptions;
  /** User ID to run as. */
  runAsUser?: Int64;
  /** Group ID to run as. */
  runAsGroup?: Int64;
  /** Refuses to start containers as root. */
  runAsNonRoot?: boolean;
  /** Further groups of the first process. */
  supplementalGroups?: Int64[];
  /** Whether groups of the image are added (Merge) or not (Strict). */
  supplementalGroupsPolicy?: 'Merge' | 'Strict' | (string & {});
  /** Group that owns the files of volumes. */
  fsGroup?: Int64;
  /** Kernel parameters of the pod's namespaces. */
  sysctls?: Sysctl[];
  /** Whether ownership of volumes is changed at every mount (Always) or only when needed (OnRootMismatch). */
  fsGroupChangePolicy?: 'Always' | 'OnRootMismatch' | (string & {});
  /** System calls that are allowed. */
  seccompProfile?: SeccompProfile;
  /** AppArmor profile. */
  appArmorProfile?: AppArmorProfile;
  /** How volumes get the SELinux label: Recursive changes every file, MountOption mounts with it. */
  seLinuxChangePolicy?: 'MountOption' | 'Recursive' | (string & {});
}

/** The containers of a pod, and where and how they run. */
export interface PodSpec {
  /** Volumes that containers can mount. */
  volumes?: KeyedList<Volume, 'name'>;
  /** Containers that run to completion, one after the other, before the others start. */
  initContainers?: KeyedList<Container, 'name'>;
  /** Containers that run side by side; at least one. */
  containers: KeyedList<Container, 'name'>;
  /** Containers that are added to the running pod for debugging, through the subresource of that name. */
  ephemeralContainers?: KeyedList<EphemeralContainer, 'name'>;
  /** When containers are restarted: Always, OnFailure or Never. */
  restartPolicy?: 'Always' | 'Never' | 'OnFailure' | (string & {});
  /** Seconds for graceful termination; 0 terminates it immediately. */
  terminationGracePeriodSeconds?: Int64;
  /** Seconds the pod may run before it has failed. */
  activeDeadlineSeconds?: Int64;
  /** Where names are looked up: ClusterFirst, ClusterFirstWithHostNet, Default or None. */
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None' | (string & {});
  /** Labels that a node must have. */
  nodeSelector?: Record<string, string>;
  /** Service account to run as. */
  serviceAccountName?: string;
  /** Older name of serviceAccountName. */
  serviceAccount?: string;
  /** Whether a token of the service account is mounted. */
  automountServiceAccountToken?: boolean;
  /** Node that the pod runs on; set by the scheduler. */
  nodeName?: string;
  /** Uses the network of the node. */
  hostNetwork?: boolean;
  /** Uses the process namespace of the node. */
  hostPID?: boolean;
  /** Uses the IPC namespace of the node. */
  hostIPC?: boolean;
  /** Containers of the pod see each other's processes. */
  shareProcessNamespace?: boolean;
  /** Security settings of all containers. */
  securityContext?: PodSecurityContext;
  /** Secrets with credentials for image registries. */
  imagePullSecrets?: KeyedList<LocalObjectReference, 'name'>;
  /** Host name; the pod's name when empty. */
  hostname?: string;
  /** Makes the pod resolvable as hostname.subdomain.namespace.svc. */
  subdomain?: string;
  /** Where the pod may and should run. */
  affinity?: Affinity;
  /** Scheduler that places the pod. */
  schedulerName?: string;
  /** Taints that the pod tolerates. */
  tolerations?: Toleration[];
  /** Lines for the hosts file. */
  hostAliases?: KeyedList<HostAlias, 'ip'>;
  /** Class that the priority comes from. */
  priorityClassName?: string;
  /** The higher, the more important; taken from the class. */
  priority?: number;
  /** Resolver settings. */
  dnsConfig?: PodDNSConfig;
  /** Conditions that must hold before the pod counts as ready. */
  readinessGates?: PodReadinessGate[];
  /** Runtime class that runs the pod. */
  runtimeClassName?: string;
  /** Puts addresses of services into environment variables. */
  enableServiceLinks?: boolean;
  /** Whether less important pods may be removed for this one. */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | (string & {});
  /** Resources that the runtime itself needs. */
  overhead?: Record<string, string>;
  /** How pods are distributed over domains of the cluster. */
  topologySpreadConstraints?: KeyedList<TopologySpreadConstraint, 'topologyKey' | 'whenUnsatisfiable'>;
  /** Host name is the fully qualified name. */
  setHostnameAsFQDN?: boolean;
  /** Operating system of the containers. */
  os?: PodOS;
  /** Uses the user namespace of the node; true when absent. */
  hostUsers?: boolean;
  /** Gates that must be passed before the pod is placed on a node; each gate is removed when its part is done. */
  schedulingGates?: KeyedList<PodSchedulingGate, 'name'>;
  /** Resource claims that must be allocated before the pod starts. */
  resourceClaims?: KeyedList<PodResourceClaim, 'name'>;
  /** Requests and limits of all containers together. */
  resources?: ResourceRequirements;
  /** Host name of the pod in place of every other rule. */
  hostnameOverride?: string;
  /** Workload and pod group that the pod belongs to. */
  workloadRef?: WorkloadReference;
  /** Group of pods with which it is placed on nodes. */
  schedulingGroup?: PodSchedulingGroup;
  /** Programs that respond to requests for the eviction of the pod. */
  evictionResponders?: KeyedList<EvictionResponder, 'name'>;
}

/** Observed state of a pod. */
export interface PodStatus {
  /** Generation of the pod that the status describes. */
  observedGeneration?: Int64;
  /** Pending, Running, Succeeded, Failed or Unknown. */
  phase?: string;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<PodCondition, 'type'>;
  /** Human-readable details. */
  message?: string;
  /** Why it is in this state, such as Evicted. */
  reason?: string;
  /** Node on which other pods are removed to make room for this one. */
  nominatedNodeName?: string;
  /** Address of its node. */
  hostIP?: string;
  /** Addresses of its node, the first of which is hostIP. */
  hostIPs?: HostIP[];
  /** Its address. */
  podIP?: string;
  /** Its addresses, at most one per family; the first is podIP. */
  podIPs?: KeyedList<PodIP, 'ip'>;
  /** When its node accepted it. */
  startTime?: string;
  /** State of the init containers. */
  initContainerStatuses?: ContainerStatus[];
  /** State of the containers. */
  containerStatuses?: ContainerStatus[];
  /** Guaranteed, Burstable or BestEffort, from its requests and limits. */
  qosClass?: string;
  /** State of the ephemeral containers. */
  ephemeralContainerStatuses?: ContainerStatus[];
  /** State of a change of its resources: Proposed, InProgress, Deferred or Infeasible. */
  resize?: string;
  /** Claims that were created from templates. */
  resourceClaimStatuses?: KeyedList<PodResourceClaimStatus, 'name'>;
  /** Claim for extended resources that device drivers provide. */
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  /** Resources that the node has allocated for all containers together. */
  allocatedResources?: Record<string, string>;
  /** Requests and limits in effect of all containers together. */
  resources?: ResourceRequirements;
  /** Allocatable resources of the node that claims use. */
  nodeAllocatableResourceClaimStatuses?: KeyedList<NodeAllocatableResourceClaimStatus, 'resourceClaimName'>;
  /** Health of the volumes, as their drivers report it. */
  volumeHealth?: KeyedList<PodVolumeHealth, 'name'>;
}

/** A template to create pods from, as a separate object. */
export type PodTemplate = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The template. */
  template?: PodTemplateSpec;
};

/** Metadata and specification of the pods that are created from it. */
export interface PodTemplateSpec {
  /** Labels and annotations of the pods. */
  metadata?: ObjectMeta;
  /** Desired state of the object. */
  spec?: PodSpec;
}

/** Health of a volume of a pod, as its driver reports it. */
export interface PodVolumeHealth {
  /** Name of the volume in the pod. */
  name: string;
  /** What is wrong with it, by status and reason; healthy when empty. */
  healthConditions?: KeyedList<VolumeHealthCondition, 'status' | 'reason'>;
  /** When the conditions last changed. */
  lastTransitionTime?: string | null;
}

/** State of one port of a load balancer. */
export interface PortStatus {
  /** Port number. */
  port: number;
  /** TCP, UDP or SCTP. */
  protocol: string;
  /** Why the port does not work. */
  error?: string;
}

/** Location of a Portworx volume, with the options of its mount. */
export interface PortworxVolumeSource {
  /** Identity of the volume. */
  volumeID: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** A preference for nodes, with its weight. */
export interface PreferredSchedulingTerm {
  /** From 1 to 100; the weights of satisfied preferences are added. */
  weight: number;
  /** The preferred nodes. */
  preference: NodeSelectorTerm;
}

/** A check that is repeated on a container. */
export interface Probe {
  /** Runs a command. */
  exec?: ExecAction;
  /** Sends an HTTP request. */
  httpGet?: HTTPGetAction;
  /** Opens a connection. */
  tcpSocket?: TCPSocketAction;
  /** Calls a gRPC health service. */
  grpc?: GRPCAction;
  /** Seconds after the start of the container before the first check. */
  initialDelaySeconds?: number;
  /** Seconds after which a check has failed. */
  timeoutSeconds?: number;
  /** Seconds between checks. */
  periodSeconds?: number;
  /** Successes in a row that count as recovered. */
  successThreshold?: number;
  /** Failures in a row that count as failed. */
  failureThreshold?: number;
  /** Seconds for graceful termination after this probe failed; those of the pod when absent. */
  terminationGracePeriodSeconds?: Int64;
}

/** The sources, and the permissions of their files. */
export interface ProjectedVolumeSource {
  /** The sources. */
  sources?: VolumeProjection[] | null;
  /** Permission bits of the files. */
  defaultMode?: number;
  /** ID of the user that owns the files. */
  defaultUser?: Int64;
}

/** Location of a Quobyte volume, with the options of its mount. */
export interface QuobyteVolumeSource {
  /** Addresses of the registries. */
  registry: string;
  /** Name of the volume. */
  volume: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** User to mount as. */
  user?: string;
  /** Group to mount as. */
  group?: string;
  /** Tenant that owns the volume. */
  tenant?: string;
}

/** Location of a Ceph block device, with the options of its mount. */
export interface RBDPersistentVolumeSource {
  /** Addresses of Ceph monitors. */
  monitors: string[];
  /** Name of the image. */
  image: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Name of the pool. */
  pool?: string;
  /** Name of the user. */
  user?: string;
  /** Path of the key ring on the node. */
  keyring?: string;
  /** Secret with the credentials for the storage. */
  secretRef?: SecretReference;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Location of a Ceph block device, with the options of its mount. */
export interface RBDVolumeSource {
  /** Addresses of Ceph monitors. */
  monitors: string[];
  /** Name of the image. */
  image: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Name of the pool. */
  pool?: string;
  /** Name of the user. */
  user?: string;
  /** Path of the key ring on the node. */
  keyring?: string;
  /** Secret with the credentials for the storage. */
  secretRef?: LocalObjectReference;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Maintains a number of identical pods. ReplicaSets and Deployments have more features. */
export type ReplicationController = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ReplicationControllerSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: ReplicationControllerStatus;
};

/** One aspect of the state of a replication controller. */
export interface ReplicationControllerCondition {
  /** Such as ReplicaFailure. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string | null;
  /** Machine-readable reason, in CamelCase. */
  reason?: string;
  /** Human-readable details. */
  message?: string;
}

/** Desired number of pods, and their template. */
export interface ReplicationControllerSpec {
  /** Desired number of pods. */
  replicas?: number;
  /** Seconds a new pod must be ready before it counts as available. */
  minReadySeconds?: number;
  /** Labels of the selected pods; those of the template when empty. */
  selector?: Record<string, string>;
  /** Template of the pods. */
  template?: PodTemplateSpec;
}

/** Observed numbers of pods. */
export interface ReplicationControllerStatus {
  /** Number of pods. */
  replicas: number;
  /** Pods with all labels of the template. */
  fullyLabeledReplicas?: number;
  /** Pods that are ready. */
  readyReplicas?: number;
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number;
  /** Generation that the controller has observed. */
  observedGeneration?: Int64;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<ReplicationControllerCondition, 'type'>;
}

/** Names a resource claim of the pod. */
export interface ResourceClaim {
  /** Name of an entry of resourceClaims. */
  name: string;
  /** Request of the claim that is used; all when empty. */
  request?: string;
}

/** Names a limit or request of a container. */
export interface ResourceFieldSelector {
  /** Name of the container; required in volumes. */
  containerName?: string;
  /** Such as limits.cpu. */
  resource: string;
  /** Unit in which the value is written. */
  divisor?: string;
}

/** Health of one device. */
export interface ResourceHealth {
  /** Identity of the device. */
  resourceID: string;
  /** Healthy, Unhealthy or Unknown. */
  health?: string;
  /** Human-readable details. */
  message?: string;
}

/** Bounds on the total usage of all objects of a namespace. */
export type ResourceQuota = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ResourceQuotaSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: ResourceQuotaStatus;
};

/** Bounds on the total usage of a namespace. */
export interface ResourceQuotaSpec {
  /** Upper bound by resource. */
  hard?: Record<string, string>;
  /** Counts only objects that are in all these scopes. */
  scopes?: string[];
  /** Counts only objects that satisfy these conditions. */
  scopeSelector?: ScopeSelector;
}

/** Usage of a quota. */
export interface ResourceQuotaStatus {
  /** Bounds that are enforced. */
  hard?: Record<string, string>;
  /** Current usage. */
  used?: Record<string, string>;
}

/** Requested and maximum amounts of compute resources. */
export interface ResourceRequirements {
  /** Maximum amounts. */
  limits?: Record<string, string>;
  /** Requested amounts. Same as the limit where only a limit is set. */
  requests?: Record<string, string>;
  /** Resource claims of the pod that the container uses. */
  claims?: KeyedList<ResourceClaim, 'name'>;
}

/** Health of the devices of one resource. */
export interface ResourceStatus {
  /** Name of the resource. */
  name: string;
  /** Health of its devices. */
  resources?: KeyedList<ResourceHealth, 'resourceID'>;
}

/** SELinux labels of a container. */
export interface SELinuxOptions {
  /** User label. */
  user?: string;
  /** Role label. */
  role?: string;
  /** Type label. */
  type?: string;
  /** Level label. */
  level?: string;
}

/** Location of a ScaleIO volume, with the options of its mount. */
export interface ScaleIOPersistentVolumeSource {
  /** Address of the gateway. */
  gateway: string;
  /** Name of the system. */
  system: string;
  /** Secret with the credentials for the storage. */
  secretRef: SecretReference | null;
  /** Uses TLS to connect to the gateway. */
  sslEnabled?: boolean;
  /** Name of the protection domain. */
  protectionDomain?: string;
  /** Storage pool of the domain. */
  storagePool?: string;
  /** ThickProvisioned or ThinProvisioned. */
  storageMode?: string;
  /** Name of the volume. */
  volumeName?: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Location of a ScaleIO volume, with the options of its mount. */
export interface ScaleIOVolumeSource {
  /** Address of the gateway. */
  gateway: string;
  /** Name of the system. */
  system: string;
  /** Secret with the credentials for the storage. */
  secretRef: LocalObjectReference | null;
  /** Uses TLS to connect to the gateway. */
  sslEnabled?: boolean;
  /** Name of the protection domain. */
  protectionDomain?: string;
  /** Storage pool of the domain. */
  storagePool?: string;
  /** ThickProvisioned or ThinProvisioned. */
  storageMode?: string;
  /** Name of the volume. */
  volumeName?: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
}

/** Conditions on what a quota counts; all must hold. */
export interface ScopeSelector {
  /** The conditions. */
  matchExpressions?: ScopedResourceSelectorRequirement[];
}

/** One condition on what a quota counts. */
export interface ScopedResourceSelectorRequirement {
  /** Scope that the condition applies to. */
  scopeName: string;
  /** In, NotIn, Exists or DoesNotExist. */
  operator: string;
  /** Values for In and NotIn. */
  values?: string[];
}

/** System calls that a container may make. */
export interface SeccompProfile {
  /** Unconfined, RuntimeDefault or Localhost. */
  type: 'Localhost' | 'RuntimeDefault' | 'Unconfined' | (string & {});
  /** File of the profile on the node; for Localhost only. */
  localhostProfile?: string;
}

/** Sensitive values of small size, such as passwords and keys. */
export type Secret = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Once true, the values stay as they are, and so does this field. */
  immutable?: boolean;
  /** Values as bytes. Keys consist of letters, digits, `-`, `_` and `.`. */
  data?: Record<string, string>;
  /** Values as text, for writing only: they are stored in data. */
  stringData?: Record<string, string>;
  /** Purpose of the secret; some types require certain keys. */
  type?: string;
};

/** Names a secret whose keys become environment variables. */
export interface SecretEnvSource {
  /** Name of the object. */
  name?: string;
  /** The secret may be missing. */
  optional?: boolean;
}

/** Names a key of a secret. */
export interface SecretKeySelector {
  /** Name of the object. */
  name?: string;
  /** The key. */
  key: string;
  /** The secret or key may be missing. */
  optional?: boolean;
}

/** Keys of a secret as part of a projected volume. */
export interface SecretProjection {
  /** Name of the object. */
  name?: string;
  /** Keys to use, and the paths of their files; all keys when empty. */
  items?: KeyToPath[];
  /** The secret, or keys of it, may be missing. */
  optional?: boolean;
}

/** Names a secret in any namespace. */
export interface SecretReference {
  /** Name of the secret. */
  name?: string;
  /** Namespace of the secret. */
  namespace?: string;
}

/** Files with the values of a secret, one per key. */
export interface SecretVolumeSource {
  /** Name of the secret. */
  secretName?: string;
  /** Keys to use, and the paths of their files; all keys when empty. */
  items?: KeyToPath[];
  /** Permission bits of the files. */
  defaultMode?: number;
  /** The secret, or keys of it, may be missing. */
  optional?: boolean;
  /** ID of the user that owns the files. */
  defaultUser?: Int64;
}

/** Security settings of one container, which take precedence over those of the pod. */
export interface SecurityContext {
  /** Linux capabilities to add and to drop. */
  capabilities?: Capabilities;
  /** Gives the container about the same privileges as root on the node. */
  privileged?: boolean;
  /** SELinux labels. */
  seLinuxOptions?: SELinuxOptions;
  /** Settings of Windows containers. */
  windowsOptions?: WindowsSecurityContextOptions;
  /** User ID to run as. */
  runAsUser?: Int64;
  /** Group ID to run as. */
  runAsGroup?: Int64;
  /** Refuses to start as root. */
  runAsNonRoot?: boolean;
  /** Nothing can be written to the image's file system. */
  readOnlyRootFilesystem?: boolean;
  /** Whether a process can get more rights than its parent. */
  allowPrivilegeEscalation?: boolean;
  /** How /proc is mounted: Default or Unmasked. */
  procMount?: 'Default' | 'Unmasked' | (string & {});
  /** System calls that are allowed. */
  seccompProfile?: SeccompProfile;
  /** AppArmor profile. */
  appArmorProfile?: AppArmorProfile;
}

/** A stable name and address for a set of pods. */
export type Service = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec?: ServiceSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: ServiceStatus;
};

/** An identity for programs that run in pods. */
export type ServiceAccount = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Secrets that pods of this account may use. */
  secrets?: KeyedList<ObjectReference, 'name'>;
  /** Secrets with credentials for image registries, for pods that name none. */
  imagePullSecrets?: LocalObjectReference[];
  /** Whether a token is mounted into pods; a pod can override it. */
  automountServiceAccountToken?: boolean;
};

/** A token of the pod's service account as part of a projected volume, renewed before it expires. */
export interface ServiceAccountTokenProjection {
  /** Intended audience of the token; the API server when empty. */
  audience?: string;
  /** Lifetime of the token. */
  expirationSeconds?: Int64;
  /** File to write, relative to the volume. */
  path: string;
  /** ID of the user that owns the file; that of the volume when absent. */
  user?: Int64;
}

/** One port of a service. */
export interface ServicePort {
  /** Name of the port; required when there are several. */
  name?: string;
  /** TCP, UDP or SCTP. */
  protocol?: 'SCTP' | 'TCP' | 'UDP' | (string & {});
  /** Application protocol, such as `http`. */
  appProtocol?: string;
  /** Port number of the service. */
  port: number;
  /** Number or name of the port of the pods; same as port when not given. */
  targetPort?: number | string;
  /** Port on every node that is forwarded to this port, for NodePort and LoadBalancer. */
  nodePort?: number;
}

/** Pods of a service, and how it is exposed. */
export interface ServiceSpec {
  /** Ports of the service. */
  ports?: KeyedList<ServicePort, 'port'>;
  /** Labels of the pods of the service. Without a selector, endpoints are managed externally. */
  selector?: Record<string, string>;
  /** Address of the service within the cluster; None for a headless service. */
  clusterIP?: string;
  /** Addresses of the service, at most one per family; the first is clusterIP. */
  clusterIPs?: string[];
  /** ClusterIP, NodePort, LoadBalancer or ExternalName. */
  type?: 'ClusterIP' | 'ExternalName' | 'LoadBalancer' | 'NodePort' | (string & {});
  /** Further addresses at which nodes accept traffic for the service. */
  externalIPs?: string[];
  /** ClientIP sends all connections of a client to the same pod; None does not. */
  sessionAffinity?: 'ClientIP' | 'None' | (string & {});
  /** Address that the load balancer should have. */
  loadBalancerIP?: string;
  /** Client addresses that the load balancer accepts. */
  loadBalancerSourceRanges?: string[];
  /** Name that the service is an alias of, for ExternalName. */
  externalName?: string;
  /** Local keeps traffic from outside on the node where it arrives. */
  externalTrafficPolicy?: string;
  /** Port at which nodes report whether they have pods of the service. */
  healthCheckNodePort?: number;
  /** Publishes pods that are not ready too. */
  publishNotReadyAddresses?: boolean;
  /** Details of session affinity. */
  sessionAffinityConfig?: SessionAffinityConfig;
  /** Labels of nodes by which endpoints are preferred, in their order. */
  topologyKeys?: string[];
  /** Address families of the service, the main one first. */
  ipFamilies?: string[];
  /** SingleStack, PreferDualStack or RequireDualStack. */
  ipFamilyPolicy?: 'PreferDualStack' | 'RequireDualStack' | 'SingleStack' | (string & {});
  /** Whether a load balancer needs node ports. */
  allocateLoadBalancerNodePorts?: boolean;
  /** Implementation that provides the load balancer. */
  loadBalancerClass?: string;
  /** Local keeps traffic from inside on the node where it starts. */
  internalTrafficPolicy?: 'Cluster' | 'Local' | (string & {});
  /** Preferred endpoints: PreferClose, PreferSameZone or PreferSameNode. */
  trafficDistribution?: 'PreferClose' | 'PreferSameZone' | 'PreferSameNode' | (string & {});
}

/** Observed state of a service. */
export interface ServiceStatus {
  /** State of its load balancer. */
  loadBalancer?: LoadBalancerStatus;
  /** Observations about the object, one entry per type. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** Settings for each type of session affinity. */
export interface SessionAffinityConfig {
  /** For affinity by client address. */
  clientIP?: ClientIPConfig;
}

/** Waits for some time. */
export interface SleepAction {
  /** Seconds to sleep. */
  seconds: Int64;
}

/** Location of a StorageOS volume, with the options of its mount. */
export interface StorageOSPersistentVolumeSource {
  /** Name of the volume. */
  volumeName?: string;
  /** StorageOS namespace of the volume. */
  volumeNamespace?: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Secret with the credentials for the storage. */
  secretRef?: ObjectReference;
}

/** Location of a StorageOS volume, with the options of its mount. */
export interface StorageOSVolumeSource {
  /** Name of the volume. */
  volumeName?: string;
  /** StorageOS namespace of the volume. */
  volumeNamespace?: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Secret with the credentials for the storage. */
  secretRef?: LocalObjectReference;
}

/** One kernel parameter. */
export interface Sysctl {
  /** Name of the parameter. */
  name: string;
  /** Value to set. */
  value: string;
}

/** Opens a connection; succeeds when the connection is established. */
export interface TCPSocketAction {
  /** Number or name of the port. */
  port: number | string;
  /** Host to connect to; the pod's address when empty. */
  host?: string;
}

/** Prevents pods that do not tolerate it from running on a node. */
export interface Taint {
  /** Key of the taint. */
  key: string;
  /** Value that belongs to the key. */
  value?: string;
  /** What happens to pods that do not tolerate it: NoSchedule, PreferNoSchedule or NoExecute. */
  effect: string;
  /** When a NoExecute taint was added. */
  timeAdded?: string;
}

/** Allows a pod to run on nodes with matching taints. */
export interface Toleration {
  /** Key of the taint; all keys when empty, with operator Exists. */
  key?: string;
  /** Equal (the default) or Exists. */
  operator?: string;
  /** Value of the taint, for Equal. */
  value?: string;
  /** Effect of the taint; all effects when empty. */
  effect?: string;
  /** How long a NoExecute taint is tolerated; without limit when absent. */
  tolerationSeconds?: Int64;
}

/** Limits a label of nodes to some values. */
export interface TopologySelectorLabelRequirement {
  /** Label that the condition applies to. */
  key: string;
  /** Values that it may have. */
  values: string[];
}

/** Conditions on labels of nodes that must all hold. */
export interface TopologySelectorTerm {
  /** The conditions. */
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
}

/** How evenly matching pods are distributed over domains of the cluster. */
export interface TopologySpreadConstraint {
  /** Maximum difference between the number of pods in a domain and in the domain with the fewest. */
  maxSkew: number;
  /** Node label whose values are the domains. */
  topologyKey: string;
  /** DoNotSchedule waits, ScheduleAnyway uses the node with the least skew. */
  whenUnsatisfiable: string;
  /** Pods that are counted. */
  labelSelector?: meta.LabelSelector;
  /** Least number of domains to spread over. */
  minDomains?: number;
  /** Whether nodes that the pod's affinity excludes count: Honor leaves them out, Ignore counts them. */
  nodeAffinityPolicy?: 'Honor' | 'Ignore' | (string & {});
  /** Whether nodes with taints that the pod does not tolerate count: Honor leaves them out, Ignore counts them. */
  nodeTaintsPolicy?: 'Honor' | 'Ignore' | (string & {});
  /** Keys of labels whose values in the new pod choose further which pods count. */
  matchLabelKeys?: string[];
}

/** Names an object of the same namespace with its kind. */
export interface TypedLocalObjectReference {
  /** Group of the object; the core group when absent. */
  apiGroup?: string | null;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
}

/** Names an object with its kind. */
export interface TypedObjectReference {
  /** Group of the object; the core group when absent. */
  apiGroup?: string | null;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Namespace of the object; that of the referring object when empty. */
  namespace?: string;
}

/** A directory that containers of the pod can mount. */
export interface Volume {
  /** Name within the pod. */
  name: string;
  /** A file or directory of the node. */
  hostPath?: HostPathVolumeSource;
  /** An initially empty directory. */
  emptyDir?: EmptyDirVolumeSource;
  /** A disk of Google Compute Engine. */
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  /** An AWS disk. */
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  /** A checkout of a git repository. */
  gitRepo?: GitRepoVolumeSource;
  /** Files with the values of a secret. */
  secret?: SecretVolumeSource;
  /** An NFS export. */
  nfs?: NFSVolumeSource;
  /** An iSCSI disk. */
  iscsi?: ISCSIVolumeSource;
  /** A Glusterfs volume. */
  glusterfs?: GlusterfsVolumeSource;
  /** The volume of a claim. */
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** A Ceph block device. */
  rbd?: RBDVolumeSource;
  /** A volume of an exec based driver. */
  flexVolume?: FlexVolumeSource;
  /** An OpenStack volume. */
  cinder?: CinderVolumeSource;
  /** A Ceph file system. */
  cephfs?: CephFSVolumeSource;
  /** A Flocker volume. */
  flocker?: FlockerVolumeSource;
  /** Files with fields of the pod. */
  downwardAPI?: DownwardAPIVolumeSource;
  /** A Fibre Channel disk. */
  fc?: FCVolumeSource;
  /** An Azure file share. */
  azureFile?: AzureFileVolumeSource;
  /** Files with the values of a config map. */
  configMap?: ConfigMapVolumeSource;
  /** A vSphere disk. */
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  /** A Quobyte volume. */
  quobyte?: QuobyteVolumeSource;
  /** An Azure disk. */
  azureDisk?: AzureDiskVolumeSource;
  /** A Photon disk. */
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  /** Several sources in one directory. */
  projected?: ProjectedVolumeSource;
  /** A Portworx volume. */
  portworxVolume?: PortworxVolumeSource;
  /** A ScaleIO volume. */
  scaleIO?: ScaleIOVolumeSource;
  /** A StorageOS volume. */
  storageos?: StorageOSVolumeSource;
  /** Storage that a CSI driver provides. */
  csi?: CSIVolumeSource;
  /** A claim that is created for the pod. */
  ephemeral?: EphemeralVolumeSource;
  /** Content of an image or artifact. */
  image?: ImageVolumeSource;
}

/** Gives a container a volume as a block device. */
export interface VolumeDevice {
  /** Name of the volume, which must be that of a claim. */
  name: string;
  /** Path of the device in the container. */
  devicePath: string;
}

/** What is wrong with a volume. */
export interface VolumeHealthCondition {
  /** Inaccessible, DataLoss or Degraded. */
  status: string;
  /** Machine-readable reason, in CamelCase. */
  reason: string;
  /** Human-readable details. */
  message?: string;
}

/** Health of the volume of a claim, as its driver reports it. */
export interface VolumeHealthStatus {
  /** What is wrong with it, by status and reason; healthy when empty. */
  healthConditions?: KeyedList<VolumeHealthCondition, 'status' | 'reason'>;
  /** When the conditions last changed. */
  lastTransitionTime?: string | null;
}

/** Puts a volume into the file system of a container. */
export interface VolumeMount {
  /** Name of the volume. */
  name: string;
  /** Mounts without permission to write. */
  readOnly?: boolean;
  /** Whether mounts below it are read-only, too: Disabled, IfPossible or Enabled. */
  recursiveReadOnly?: 'Disabled' | 'Enabled' | 'IfPossible' | (string & {});
  /** Where it appears in the container. */
  mountPath: string;
  /** Part of the volume to mount. */
  subPath?: string;
  /** How later mounts are propagated: None, HostToContainer or Bidirectional. */
  mountPropagation?: 'Bidirectional' | 'HostToContainer' | 'None' | (string & {});
  /** As subPath, with `$(NAME)` for environment variables. */
  subPathExpr?: string;
  /** Options of the mount: nodev, noexec or nosuid. */
  bindMountOptions?: ('nodev' | 'noexec' | 'nosuid' | (string & {}))[];
}

/** State of one mount of a container. */
export interface VolumeMountStatus {
  /** Name of the volume. */
  name: string;
  /** Where it appears in the container. */
  mountPath: string;
  /** It is mounted without permission to write. */
  readOnly?: boolean;
  /** Whether mounts below it are read-only, too: Disabled or Enabled. */
  recursiveReadOnly?: string;
  /** State of the volume. */
  volumeStatus?: VolumeStatus;
}

/** Limits the nodes from which a volume can be reached. */
export interface VolumeNodeAffinity {
  /** Nodes from which it can be. */
  required?: NodeSelector;
}

/** One source of a projected volume; one field is set. */
export interface VolumeProjection {
  /** A secret. */
  secret?: SecretProjection;
  /** Fields of the pod. */
  downwardAPI?: DownwardAPIProjection;
  /** A config map. */
  configMap?: ConfigMapProjection;
  /** A token of the pod's service account. */
  serviceAccountToken?: ServiceAccountTokenProjection;
  /** Certificates of trust bundles. */
  clusterTrustBundle?: ClusterTrustBundleProjection;
  /** A key and its certificate. */
  podCertificate?: PodCertificateProjection;
}

/** Requested and maximum size of a volume. */
export interface VolumeResourceRequirements {
  /** Maximum amounts. */
  limits?: Record<string, string>;
  /** Requested amounts. Same as the limit where only a limit is set. */
  requests?: Record<string, string>;
  /** Resource claims of the pod that the container uses. Volumes have none. */
  claims?: KeyedList<ResourceClaim, 'name'>;
}

/** State of a mounted volume. */
export interface VolumeStatus {
  /** State of an image. */
  image?: ImageVolumeStatus;
}

/** Location of a vSphere disk, with the options of its mount. */
export interface VsphereVirtualDiskVolumeSource {
  /** Path of the disk. */
  volumePath: string;
  /** File system of the volume, such as ext4 or xfs. The default of the node when empty. */
  fsType?: string;
  /** Name of the storage policy. */
  storagePolicyName?: string;
  /** Identity of the storage policy. */
  storagePolicyID?: string;
}

/** A preference for other pods, with its weight. */
export interface WeightedPodAffinityTerm {
  /** From 1 to 100; the weights of satisfied preferences are added. */
  weight: number;
  /** The other pods. */
  podAffinityTerm: PodAffinityTerm;
}

/** Security settings of Windows containers. */
export interface WindowsSecurityContextOptions {
  /** Name of the GMSA credential specification. */
  gmsaCredentialSpecName?: string;
  /** The specification itself. */
  gmsaCredentialSpec?: string;
  /** User to run as. */
  runAsUserName?: string;
  /** Runs directly on the node. */
  hostProcess?: boolean;
}

/** Names a workload, and one of its pod groups. */
export interface WorkloadReference {
  /** Name of the workload. */
  name: string;
  /** Pod group of the workload. */
  podGroup: string;
  /** Replica of the pod group. */
  podGroupReplicaKey?: string;
}

// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { Int64, ObjectMeta } from '@orch/machinery';
import type { KeyedList } from '../resources/keyed-list.ts';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

/** What the driver reports about a device. */
export interface AllocatedDeviceStatus {
  /** Driver of the device. */
  driver: string;
  /** Pool of the device. */
  pool: string;
  /** Name of the device in its pool. */
  device: string;
  /** Identity of this share of a device that several claims use. */
  shareID?: string;
  /** Aspects of its state, by type. */
  conditions?: KeyedList<meta.Condition, 'type'> | null;
  /** Data in the format of the driver. */
  data?: Record<string, unknown>;
  /** Addresses and interface, of a network device. */
  networkData?: NetworkDeviceData;
}

/** What is allocated, and where it can be used. */
export interface AllocationResult {
  /** The devices and their configuration. */
  devices?: DeviceAllocationResult;
  /** Nodes from which it can be used; all when absent. */
  nodeSelector?: core.NodeSelector;
  /** Driver that made the allocation and releases it; the scheduler when empty. */
  controller?: string;
  /** When it was allocated. */
  allocationTimestamp?: string;
}

/** An allocated resource, and where it can be used. */
export interface AllocationResultV1alpha1 {
  /** Data for the driver on the node. */
  resourceHandle?: string;
  /** Nodes on which it can be used; all when absent. */
  availableOnNodes?: core.NodeSelector;
  /** Whether several may use it at the same time. */
  shareable?: boolean;
}

/** An allocated resource, and where it can be used. */
export interface AllocationResultV1alpha2 {
  /** Data for the drivers on the nodes, one entry for each driver. */
  resourceHandles?: ResourceHandleV1alpha2[];
  /** Nodes on which it can be used; all when absent. */
  availableOnNodes?: core.NodeSelector;
  /** Whether several may use it at the same time. */
  shareable?: boolean;
}

/** What is known about a device. */
export interface BasicDeviceV1alpha3 {
  /** Attributes by name, with the domain of a driver or without. */
  attributes?: Record<string, DeviceAttribute>;
  /** Capacities by name, with the domain of a driver or without. */
  capacity?: Record<string, string>;
  /** Counters that it consumes. */
  consumesCounters?: DeviceCounterConsumption[];
  /** The only node from which it can be used. */
  nodeName?: string;
  /** Nodes from which it can be used. */
  nodeSelector?: core.NodeSelector;
  /** Whether it can be used from all nodes; true or absent. */
  allNodes?: boolean;
  /** Taints of the device. */
  taints?: DeviceTaint[];
  /** Whether an allocation binds the claim to the node for which it was made. */
  bindsToNode?: boolean;
  /** Conditions of the device that must be true before the pod is bound. */
  bindingConditions?: string[];
  /** Conditions of the device: it cannot be used if any of them is true. */
  bindingFailureConditions?: string[];
  /** Whether several requests can share it. */
  allowMultipleAllocations?: boolean;
  /** Resources of the node that it takes, by name. */
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
  /** Resources of the node that it takes, by name. */
  nodeAllocatableResources?: Record<string, NodeAllocatableResource>;
}

/** What is known about a device. */
export interface BasicDeviceV1beta1 {
  /** Attributes by name, with the domain of a driver or without. */
  attributes?: Record<string, DeviceAttribute>;
  /** Capacities by name, with the domain of a driver or without. */
  capacity?: Record<string, DeviceCapacity>;
  /** Counters that it consumes. */
  consumesCounters?: DeviceCounterConsumption[];
  /** The only node from which it can be used. */
  nodeName?: string;
  /** Nodes from which it can be used. */
  nodeSelector?: core.NodeSelector;
  /** Whether it can be used from all nodes; true or absent. */
  allNodes?: boolean;
  /** Taints of the device. */
  taints?: DeviceTaint[];
  /** Whether an allocation binds the claim to the node for which it was made. */
  bindsToNode?: boolean;
  /** Conditions of the device that must be true before the pod is bound. */
  bindingConditions?: string[];
  /** Conditions of the device: it cannot be used if any of them is true. */
  bindingFailureConditions?: string[];
  /** Whether several requests can share it. */
  allowMultipleAllocations?: boolean;
  /** Resources of the node that it takes, by name. */
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
  /** Resources of the node that it takes, by name. */
  nodeAllocatableResources?: Record<string, NodeAllocatableResource>;
}

/** Selects devices by an expression. */
export interface CELDeviceSelector {
  /** Expression that is true for the selected devices. Its variable `device` has the fields driver, attributes, capacity and allowMultipleAllocations. */
  expression: string;
}

/** How a capacity is requested, when several requests share the device. */
export interface CapacityRequestPolicy {
  /** Amount for requests that do not name the capacity. */
  default?: string | null;
  /** Possible amounts, in ascending order; requests are rounded up. */
  validValues?: string[];
  /** Range of possible amounts. */
  validRange?: CapacityRequestPolicyRange;
}

/** Amounts from a minimum on, in steps. */
export interface CapacityRequestPolicyRange {
  /** Smallest amount; smaller requests are rounded up. */
  min: string;
  /** Largest amount. */
  max?: string;
  /** Amounts are the minimum and a multiple of it; requests are rounded up. */
  step?: string;
}

/** Requested capacities. */
export interface CapacityRequirements {
  /** Amounts by the names of capacities. */
  requests?: Record<string, string>;
}

/** An amount. */
export interface Counter {
  /** The amount. */
  value: string;
}

/** Amounts that devices of a pool share. */
export interface CounterSet {
  /** Name of the set, unique in the pool. */
  name: string;
  /** Amounts by name. */
  counters: Record<string, Counter>;
}

/** A device that can be claimed. */
export interface Device {
  /** Name of the device, unique in its pool. */
  name: string;
  /** Attributes by name, with the domain of a driver or without. */
  attributes?: Record<string, DeviceAttribute>;
  /** Capacities by name, with the domain of a driver or without. */
  capacity?: Record<string, DeviceCapacity>;
  /** Counters that it consumes. */
  consumesCounters?: DeviceCounterConsumption[];
  /** The only node from which it can be used. */
  nodeName?: string;
  /** Nodes from which it can be used. */
  nodeSelector?: core.NodeSelector;
  /** Whether it can be used from all nodes; true or absent. */
  allNodes?: boolean;
  /** Taints of the device. */
  taints?: DeviceTaint[];
  /** Whether an allocation binds the claim to the node for which it was made. */
  bindsToNode?: boolean;
  /** Conditions of the device that must be true before the pod is bound. */
  bindingConditions?: string[];
  /** Conditions of the device: it cannot be used if any of them is true. */
  bindingFailureConditions?: string[];
  /** Whether several requests can share it. */
  allowMultipleAllocations?: boolean;
  /** Resources of the node that it takes, by name. */
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
  /** Resources of the node that it takes, by name. */
  nodeAllocatableResources?: Record<string, NodeAllocatableResource>;
}

/** Configuration of allocated devices. */
export interface DeviceAllocationConfiguration {
  /** Where it comes from: FromClass or FromClaim. */
  source: 'FromClaim' | 'FromClass' | (string & {});
  /** Requests that it applies to, with `/` and the name of a subrequest or without; all when empty. */
  requests?: string[];
  /** Parameters in the format of a driver. */
  opaque?: OpaqueDeviceConfiguration;
}

/** Allocated devices. */
export interface DeviceAllocationResult {
  /** The devices. */
  results?: DeviceRequestAllocationResult[];
  /** Configurations of the class and of the claim, in the order in which they apply. */
  config?: DeviceAllocationConfiguration[];
}

/** A value of exactly one type. */
export interface DeviceAttribute {
  /** A number. */
  int?: Int64;
  /** True or false. */
  bool?: boolean;
  /** A text. */
  string?: string;
  /** A semantic version, such as 1.2.3. */
  version?: string;
  /** Several numbers. */
  ints?: Int64[];
  /** Several truth values. */
  bools?: boolean[];
  /** Several texts. */
  strings?: string[];
  /** Several semantic versions. */
  versions?: string[];
}

/** An amount of something that a device has. */
export interface DeviceCapacity {
  /** The amount. */
  value: string;
  /** How it is requested; only for devices that can be allocated several times. */
  requestPolicy?: CapacityRequestPolicy;
}

/** Which devices are claimed, and how they are configured. */
export interface DeviceClaim {
  /** Requests that must all be satisfied. */
  requests?: DeviceRequest[] | null;
  /** Conditions that the devices together must satisfy. */
  constraints?: DeviceConstraint[];
  /** Configurations for the drivers of the devices, in the order in which they apply. */
  config?: DeviceClaimConfiguration[];
}

/** Configuration of devices of a claim. */
export interface DeviceClaimConfiguration {
  /** Requests that it applies to, with `/` and the name of a subrequest or without; all when empty. */
  requests?: string[];
  /** Parameters in the format of a driver. */
  opaque?: OpaqueDeviceConfiguration;
}

/** Which devices are claimed, and how they are configured. */
export interface DeviceClaimV1beta1 {
  /** Requests that must all be satisfied. */
  requests?: DeviceRequestV1beta1[] | null;
  /** Conditions that the devices together must satisfy. */
  constraints?: DeviceConstraint[];
  /** Configurations for the drivers of the devices, in the order in which they apply. */
  config?: DeviceClaimConfiguration[];
}

/** Devices that can be claimed by the name of their class. */
export type DeviceClass = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: DeviceClassSpec;
};

/** Configuration of all devices that are allocated through a class. */
export interface DeviceClassConfiguration {
  /** Parameters in the format of a driver. */
  opaque?: OpaqueDeviceConfiguration;
}

/** What belongs to the class, and how it is configured. */
export interface DeviceClassSpec {
  /** Conditions that a device must satisfy, all of them. */
  selectors?: DeviceSelector[];
  /** Configurations for the drivers of the devices, in the order in which they apply. */
  config?: DeviceClassConfiguration[];
  /** Nodes on which claims can be allocated whose driver allocates them itself; all when absent. */
  suitableNodes?: core.NodeSelector;
  /** Extended resource of containers that its devices provide. */
  extendedResourceName?: string;
}

/** A condition on several devices of a claim. */
export interface DeviceConstraint {
  /** Requests whose devices it applies to; all when empty. */
  requests?: string[];
  /** Attribute that has the same value in all devices. */
  matchAttribute?: string;
  /** Attribute that has another value in each device. */
  distinctAttribute?: string;
}

/** What a device takes from a set of counters when it is allocated. */
export interface DeviceCounterConsumption {
  /** Name of the set. */
  counterSet: string;
  /** Amounts by name. */
  counters: Record<string, Counter>;
  /** Devices that consume from the same set are allocated at the same time only if they share a group. */
  compatibilityGroups?: string[];
}

/** An attribute that is computed for each device that a request may get. */
export interface DeviceDerivedAttribute {
  /** Name of the attribute, by which constraints refer to it: a domain, a slash and an identifier. */
  name: string;
  /** Expression for the value: a scalar, or a list of them. Its variable `device` is that of selectors. */
  expression: string;
}

/** A request for devices: exactly what it says, or the first available alternative. */
export interface DeviceRequest {
  /** Name of the request, by which others refer to it. */
  name: string;
  /** The devices; not together with firstAvailable. */
  exactly?: ExactDeviceRequest;
  /** Alternatives, in order of preference: the first one that can be satisfied counts. */
  firstAvailable?: DeviceSubRequest[];
}

/** A device that is allocated for a request. */
export interface DeviceRequestAllocationResult {
  /** Request that it satisfies. */
  request: string;
  /** Driver of the device. */
  driver: string;
  /** Pool of the device. */
  pool: string;
  /** Name of the device in its pool. */
  device: string;
  /** Whether the device is allocated for its administration. */
  adminAccess?: boolean;
  /** Taints that the devices may have. */
  tolerations?: DeviceToleration[];
  /** Conditions of the device that must be true before the pod is bound. */
  bindingConditions?: string[];
  /** Conditions of the device: it cannot be used if any of them is true. */
  bindingFailureConditions?: string[];
  /** Identity of this share of a device that several claims use. */
  shareID?: string;
  /** Capacities of the device that it takes, by name. */
  consumedCapacity?: Record<string, string>;
  /** Operations of the driver on the node that are left out for the devices; * for all of them. */
  skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources' | (string & {}))[];
}

/** A request for devices of one class, or for the first available alternative. */
export interface DeviceRequestV1beta1 {
  /** Name of the request, by which others refer to it. */
  name: string;
  /** Class of the devices; not together with firstAvailable, as the other fields. */
  deviceClassName: string;
  /** Conditions that a device must satisfy, all of them. */
  selectors?: DeviceSelector[];
  /** ExactCount, or All: all devices that match. */
  allocationMode?: 'All' | 'ExactCount' | (string & {});
  /** How many devices, for ExactCount; 1 by default. */
  count?: Int64;
  /** Whether the devices are allocated for their administration, even while others use them. */
  adminAccess?: boolean;
  /** Alternatives, in order of preference: the first one that can be satisfied counts. */
  firstAvailable?: DeviceSubRequestV1beta1[];
  /** Taints that the devices may have. */
  tolerations?: DeviceToleration[];
  /** Capacities that each device must provide. */
  capacity?: CapacityRequirements;
  /** Attributes that are computed for each device, each of which a constraint refers to. */
  derivedAttributes?: DeviceDerivedAttribute[];
}

/** Selects devices in one of several ways. */
export interface DeviceSelector {
  /** By an expression. */
  cel?: CELDeviceSelector;
}

/** One of several alternatives of a request. */
export interface DeviceSubRequest {
  /** Name of the request, by which others refer to it. */
  name: string;
  /** Class of the devices. */
  deviceClassName: string;
  /** Conditions that a device must satisfy, all of them. */
  selectors?: DeviceSelector[];
  /** ExactCount, or All: all devices that match. */
  allocationMode?: 'All' | 'ExactCount' | (string & {});
  /** How many devices, for ExactCount; 1 by default. */
  count?: Int64;
  /** Taints that the devices may have. */
  tolerations?: DeviceToleration[];
  /** Capacities that each device must provide. */
  capacity?: CapacityRequirements;
  /** Attributes that are computed for each device, each of which a constraint refers to. */
  derivedAttributes?: DeviceDerivedAttribute[];
}

/** One of several alternatives of a request. */
export interface DeviceSubRequestV1beta1 {
  /** Name of the request, by which others refer to it. */
  name: string;
  /** Class of the devices. */
  deviceClassName: string;
  /** Conditions that a device must satisfy, all of them. */
  selectors?: DeviceSelector[];
  /** ExactCount, or All: all devices that match. */
  allocationMode?: 'All' | 'ExactCount' | (string & {});
  /** How many devices, for ExactCount; 1 by default. */
  count?: Int64;
  /** Taints that the devices may have. */
  tolerations?: DeviceToleration[];
  /** Capacities that each device must provide. */
  capacity?: CapacityRequirements;
  /** Attributes that are computed for each device, each of which a constraint refers to. */
  derivedAttributes?: DeviceDerivedAttribute[];
}

/** Repels claims, and the pods that use them, unless they tolerate it. */
export interface DeviceTaint {
  /** Key of the taint, a label name. */
  key: string;
  /** Value of the taint, a label value. */
  value?: string;
  /** NoSchedule, NoExecute, or None, which only informs. */
  effect: 'NoExecute' | 'NoSchedule' | 'None' | (string & {});
  /** When the taint was added; the server sets it when it is absent. */
  timeAdded?: string;
}

/** Gives a taint to devices, besides those that their driver publishes. */
export type DeviceTaintRule = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: DeviceTaintRuleSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: DeviceTaintRuleStatus;
};

/** The taint, and the devices that get it. */
export interface DeviceTaintRuleSpec {
  /** Devices that get the taint. */
  deviceSelector?: DeviceTaintSelector;
  /** The taint of the selected devices. */
  taint: DeviceTaint;
}

/** What is known about the effect of the rule. */
export interface DeviceTaintRuleStatus {
  /** Aspects of the effect, by type, such as an eviction in progress. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** Selects the devices that have all of the given names; all devices without any. */
export interface DeviceTaintSelector {
  /** Class of the devices. */
  deviceClassName?: string;
  /** Driver of the devices. */
  driver?: string;
  /** Pool of the devices. */
  pool?: string;
  /** Name of the devices. */
  device?: string;
  /** Conditions that a device must satisfy, all of them. */
  selectors?: DeviceSelector[];
}

/** Tolerates the taints that it matches. */
export interface DeviceToleration {
  /** Key of the taints; all keys when empty. */
  key?: string;
  /** Exists, or Equal, which compares the value. */
  operator?: 'Equal' | 'Exists' | (string & {});
  /** Value of the taints; empty for Exists. */
  value?: string;
  /** Effect of the taints; all effects when empty. */
  effect?: 'NoExecute' | 'NoSchedule' | 'None' | (string & {});
  /** How long NoExecute is tolerated, in seconds; forever when absent. */
  tolerationSeconds?: Int64;
}

/** A device that can be claimed. */
export interface DeviceV1alpha3 {
  /** Name of the device, unique in its pool. */
  name: string;
  /** What is known about it. */
  basic?: BasicDeviceV1alpha3;
}

/** A device that can be claimed. */
export interface DeviceV1beta1 {
  /** Name of the device, unique in its pool. */
  name: string;
  /** What is known about it. */
  basic?: BasicDeviceV1beta1;
}

/** What is allocated for one request, with the parameters of the request for the driver. */
export interface DriverAllocationResultV1alpha2 {
  /** Parameters of the request. */
  vendorRequestParameters?: Record<string, unknown> | null;
  /** The instance that is allocated. */
  namedResources?: NamedResourcesAllocationResultV1alpha2;
}

/** All requests for resources of one driver. */
export interface DriverRequestsV1alpha2 {
  /** Driver that the entry is for; each has one entry. */
  driverName?: string;
  /** Parameters of all requests for the driver. */
  vendorParameters?: Record<string, unknown> | null;
  /** The requests. */
  requests?: ResourceRequestV1alpha2[];
}

/** Devices of one class. */
export interface ExactDeviceRequest {
  /** Class of the devices. */
  deviceClassName: string;
  /** Conditions that a device must satisfy, all of them. */
  selectors?: DeviceSelector[];
  /** ExactCount, or All: all devices that match. */
  allocationMode?: 'All' | 'ExactCount' | (string & {});
  /** How many devices, for ExactCount; 1 by default. */
  count?: Int64;
  /** Whether the devices are allocated for their administration, even while others use them. */
  adminAccess?: boolean;
  /** Taints that the devices may have. */
  tolerations?: DeviceToleration[];
  /** Capacities that each device must provide. */
  capacity?: CapacityRequirements;
  /** Attributes that are computed for each device, each of which a constraint refers to. */
  derivedAttributes?: DeviceDerivedAttribute[];
}

/** An allocated instance of the named resources of a node. */
export interface NamedResourcesAllocationResultV1alpha2 {
  /** Name of the instance. */
  name: string;
}

/** An attribute of an instance. */
export interface NamedResourcesAttributeV1alpha2 {
  /** Name of the attribute, unique in the instance. */
  name: string;
  /** A quantity. */
  quantity?: string;
  /** True or false. */
  bool?: boolean;
  /** A number. */
  int?: Int64;
  /** A list of numbers. */
  intSlice?: NamedResourcesIntSliceV1alpha2;
  /** A text. */
  string?: string;
  /** A list of texts. */
  stringSlice?: NamedResourcesStringSliceV1alpha2;
  /** A semantic version, such as 1.2.3. */
  version?: string;
}

/** Limits the instances of the named resources that a class has. */
export interface NamedResourcesFilterV1alpha2 {
  /** Expression that is true for the selected instances. It has the maps of attributes by name: attributes.quantity, .bool, .int, .intslice, .string, .stringslice and .version. */
  selector: string;
}

/** An instance that can be selected. */
export interface NamedResourcesInstanceV1alpha2 {
  /** Name of the instance, unique among those of the driver on the node. */
  name: string;
  /** What selectors know about it. */
  attributes?: NamedResourcesAttributeV1alpha2[];
}

/** Several numbers. */
export interface NamedResourcesIntSliceV1alpha2 {
  /** The numbers. */
  ints: Int64[] | null;
}

/** Requests an instance of the named resources of a node. */
export interface NamedResourcesRequestV1alpha2 {
  /** Expression that is true for the selected instances. It has the maps of attributes by name: attributes.quantity, .bool, .int, .intslice, .string, .stringslice and .version. */
  selector: string;
}

/** Resources that have names. */
export interface NamedResourcesResourcesV1alpha2 {
  /** The instances that are available. */
  instances: NamedResourcesInstanceV1alpha2[] | null;
}

/** Several texts. */
export interface NamedResourcesStringSliceV1alpha2 {
  /** The texts. */
  strings: string[] | null;
}

/** State of a network device. */
export interface NetworkDeviceData {
  /** Name of the interface in the pod. */
  interfaceName?: string;
  /** Addresses of the interface with their prefix lengths. */
  ips?: string[];
  /** Hardware address of the interface. */
  hardwareAddress?: string;
}

/** The amount that a device stands for: a multiple of a capacity, or an amount for each device. */
export interface NodeAllocatableMapping {
  /** Capacity whose consumed amount is multiplied. */
  capacityKey?: string;
  /** Factor of the capacity. */
  capacityMultiplier?: string;
  /** Amount for each device. */
  deviceMultiplier?: string;
}

/** The amount that the use of a device takes besides. */
export interface NodeAllocatableOverhead {
  /** Amount for each pod with the claim. */
  perPod?: string;
  /** Amount for each container with the claim. */
  perContainer?: string;
}

/** How much of a resource of the node the allocation of a device takes. */
export interface NodeAllocatableResource {
  /** The amount, if the device stands for it. */
  mapping?: NodeAllocatableMapping;
  /** The amount that pods need besides. */
  overhead?: NodeAllocatableOverhead;
}

/** How much of a resource of the node a device takes. */
export interface NodeAllocatableResourceMapping {
  /** Capacity whose amount is taken. */
  capacityKey?: string;
  /** Factor of the amount, or the amount for each device. */
  allocationMultiplier?: string;
}

/** Parameters that only the driver understands. */
export interface OpaqueDeviceConfiguration {
  /** Driver that the parameters are for. */
  driver: string;
  /** An object in the format of the driver. */
  parameters: Record<string, unknown>;
}

/** How many partitions of a type can be allocated. */
export interface PartitionTypeStatusV1alpha3 {
  /** Attribute whose value is the type. */
  attribute: string;
  /** Type of the partitions, such as Half. */
  type: string;
  /** Number of partitions of the type. */
  total: number;
  /** Number of partitions of the type that can still be allocated. */
  allocatable: number;
}

/** Nodes that the scheduler proposes for the pod. */
export interface PodSchedulingContextSpecV1alpha3 {
  /** Node for which claims are allocated; it may change until they are. */
  selectedNode?: string;
  /** Nodes that are suitable for the scheduler. */
  potentialNodes?: string[];
}

/** Reports of the drivers about the nodes. */
export interface PodSchedulingContextStatusV1alpha3 {
  /** An entry for each claim of the pod that is allocated when the pod is scheduled. */
  resourceClaims?: KeyedList<ResourceClaimSchedulingStatusV1alpha3, 'name'>;
}

/** Used by the scheduler and the resource drivers to select a node for the pod of the same name. */
export type PodSchedulingContextV1alpha3 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Nodes on which the pod might run. */
  spec: PodSchedulingContextSpecV1alpha3;
  /** Nodes on which the pod cannot run. */
  status?: PodSchedulingContextStatusV1alpha3;
};

/** Nodes that the scheduler proposes for the pod. */
export interface PodSchedulingSpecV1alpha1 {
  /** Node for which claims are allocated; it may change until they are. */
  selectedNode?: string;
  /** Nodes that are suitable for the scheduler. */
  potentialNodes?: string[];
}

/** Reports of the drivers about the nodes. */
export interface PodSchedulingStatusV1alpha1 {
  /** An entry for each claim of the pod that is allocated when the pod is scheduled. */
  resourceClaims?: KeyedList<ResourceClaimSchedulingStatusV1alpha1, 'name'>;
}

/** Used by the scheduler and the resource drivers to select a node for the pod of the same name. */
export type PodSchedulingV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Nodes on which the pod might run. */
  spec: PodSchedulingSpecV1alpha1;
  /** Nodes on which the pod cannot run. */
  status?: PodSchedulingStatusV1alpha1;
};

/** The state of a pool. */
export interface PoolStatusV1alpha3 {
  /** Driver of the pool. */
  driver: string;
  /** Name of the pool. */
  poolName: string;
  /** Latest generation of the pool among its slices. */
  generation: Int64;
  /** Number of slices of the pool. */
  resourceSliceCount?: number;
  /** Number of devices. */
  totalDevices?: number;
  /** Number of allocated devices. */
  allocatedDevices?: number;
  /** Number of devices that can be allocated. */
  availableDevices?: number;
  /** Number of devices that are neither allocated nor available, such as tainted ones. */
  unavailableDevices?: number;
  /** Node that the pool belongs to. */
  nodeName?: string;
  /** The reason why the state of the pool is not known completely. */
  validationError?: string;
  /** Partitions that can be allocated, by attribute and type. */
  partitionSummary?: PartitionTypeStatusV1alpha3[];
  /** Devices that can be allocated several times. */
  shareableSummary?: ShareableSummaryStatusV1alpha3;
}

/** A claim of one user on devices, which exists as long as they are needed. */
export type ResourceClaim = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Requested devices; it cannot change later. */
  spec: ResourceClaimSpec;
  /** Most recently observed state of the object; written by the system. */
  status?: ResourceClaimStatus;
};

/** Names the object that a claim is reserved for, in the same namespace. */
export interface ResourceClaimConsumerReference {
  /** Group of the object; empty for the core group. */
  apiGroup?: string;
  /** Resource of the object, such as pods. */
  resource: string;
  /** Name of the object. */
  name: string;
  /** Identity of the object. */
  uid: string;
}

/** Names the object that a claim is reserved for, in the same namespace. */
export interface ResourceClaimConsumerReferenceV1alpha2 {
  /** Group of the object; empty for the core group. */
  apiGroup?: string;
  /** Resource of the object, such as pods. */
  resource: string;
  /** Name of the object. */
  name: string;
  /** Identity of the object. */
  uid: string;
}

/** Names the object with the parameters of a claim, in the same namespace. */
export interface ResourceClaimParametersReferenceV1alpha2 {
  /** Group of the object; empty for the core group. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
}

/** What a claim requests, in a form that the scheduler reads. */
export type ResourceClaimParametersV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Object of another kind from which this one was made. */
  generatedFrom?: ResourceClaimParametersReferenceV1alpha2;
  /** Whether several may use the allocated claim at the same time. */
  shareable?: boolean;
  /** Requests by driver; a claim without any can always be allocated. */
  driverRequests?: DriverRequestsV1alpha2[];
};

/** Nodes for which one claim of the pod cannot be allocated. */
export interface ResourceClaimSchedulingStatusV1alpha1 {
  /** Name of the claim in the pod. */
  name?: string;
  /** Nodes of the request for which the claim cannot be allocated. */
  unsuitableNodes?: string[];
}

/** Nodes for which one claim of the pod cannot be allocated. */
export interface ResourceClaimSchedulingStatusV1alpha3 {
  /** Name of the claim in the pod. */
  name?: string;
  /** Nodes of the request for which the claim cannot be allocated. */
  unsuitableNodes?: string[];
}

/** What is claimed. It cannot change later. */
export interface ResourceClaimSpec {
  /** Claimed devices. */
  devices?: DeviceClaim;
  /** Driver that allocates the claim; the scheduler when empty. */
  controller?: string;
}

/** The claimed resource, and when it is allocated. It cannot change later. */
export interface ResourceClaimSpecV1alpha2 {
  /** Class of the resource. */
  resourceClassName: string;
  /** Object with the parameters for the driver. */
  parametersRef?: ResourceClaimParametersReferenceV1alpha2;
  /** Immediate, or WaitForFirstConsumer, when a pod needs it. */
  allocationMode?: 'Immediate' | 'WaitForFirstConsumer' | (string & {});
}

/** What is claimed. It cannot change later. */
export interface ResourceClaimSpecV1beta1 {
  /** Claimed devices. */
  devices?: DeviceClaimV1beta1;
  /** Driver that allocates the claim; the scheduler when empty. */
  controller?: string;
}

/** Allocation of a claim, and its consumers. */
export interface ResourceClaimStatus {
  /** The allocation; absent while there is none. It cannot change until it is released. */
  allocation?: AllocationResult;
  /** Consumers that may use it now, usually pods. None is added while the claim is being deleted. */
  reservedFor?: KeyedList<ResourceClaimConsumerReference, 'uid'>;
  /** Requests that the driver releases the allocation, and prevents further consumers. */
  deallocationRequested?: boolean;
  /** What the drivers report about allocated devices. */
  devices?: KeyedList<AllocatedDeviceStatus, 'driver' | 'pool' | 'device'>;
}

/** Allocation of a claim, and its consumers. */
export interface ResourceClaimStatusV1alpha1 {
  /** Driver that allocated the claim. */
  driverName?: string;
  /** The allocation; absent while there is none. It cannot change until it is released. */
  allocation?: AllocationResultV1alpha1;
  /** Consumers that may use it now, usually a pod. No further consumer may be added while a deallocation is requested. */
  reservedFor?: KeyedList<ResourceClaimConsumerReferenceV1alpha2, 'uid'>;
  /** Requests that the driver releases the allocation, and prevents further consumers. */
  deallocationRequested?: boolean;
}

/** Allocation of a claim, and its consumers. */
export interface ResourceClaimStatusV1alpha2 {
  /** Driver that allocated the claim. */
  driverName?: string;
  /** The allocation; absent while there is none. It cannot change until it is released. */
  allocation?: AllocationResultV1alpha2;
  /** Consumers that may use it now, usually a pod. No further consumer may be added while a deallocation is requested. */
  reservedFor?: KeyedList<ResourceClaimConsumerReferenceV1alpha2, 'uid'>;
  /** Requests that the driver releases the allocation, and prevents further consumers. */
  deallocationRequested?: boolean;
}

/** Template of claims, one for each pod that refers to it. */
export type ResourceClaimTemplate = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The template. It cannot change later. */
  spec: ResourceClaimTemplateSpec;
};

/** Metadata and specification of the claims. */
export interface ResourceClaimTemplateSpec {
  /** Labels and annotations of the claims; other metadata is ignored. */
  metadata?: ObjectMeta;
  /** Specification of the claims. */
  spec: ResourceClaimSpec;
}

/** Metadata and specification of the claims. */
export interface ResourceClaimTemplateSpecV1alpha2 {
  /** Labels and annotations of the claims; other metadata is ignored. */
  metadata?: ObjectMeta;
  /** Specification of the claims. */
  spec: ResourceClaimSpecV1alpha2;
}

/** Metadata and specification of the claims. */
export interface ResourceClaimTemplateSpecV1beta1 {
  /** Labels and annotations of the claims; other metadata is ignored. */
  metadata?: ObjectMeta;
  /** Specification of the claims. */
  spec: ResourceClaimSpecV1beta1;
}

/** Template of claims, one for each pod that refers to it. */
export type ResourceClaimTemplateV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The template. It cannot change later. */
  spec: ResourceClaimTemplateSpecV1alpha2;
};

/** Template of claims, one for each pod that refers to it. */
export type ResourceClaimTemplateV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The template. It cannot change later. */
  spec: ResourceClaimTemplateSpecV1beta1;
};

/** A claim of one user on a resource, which exists as long as it is needed. */
export type ResourceClaimV1alpha1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: ResourceClaimSpecV1alpha2;
  /** Most recently observed state of the object; written by the system. */
  status?: ResourceClaimStatusV1alpha1;
};

/** A claim of one user on a resource, which exists as long as it is needed. */
export type ResourceClaimV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Desired state of the object. */
  spec: ResourceClaimSpecV1alpha2;
  /** Most recently observed state of the object; written by the system. */
  status?: ResourceClaimStatusV1alpha2;
};

/** A claim of one user on devices, which exists as long as they are needed. */
export type ResourceClaimV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Requested devices; it cannot change later. */
  spec: ResourceClaimSpecV1beta1;
  /** Most recently observed state of the object; written by the system. */
  status?: ResourceClaimStatus;
};

/** Names the object with the parameters of a class. */
export interface ResourceClassParametersReferenceV1alpha2 {
  /** Group of the object; empty for the core group. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Namespace of the object; empty for cluster-scoped kinds. */
  namespace?: string;
}

/** What a class has, in a form that the scheduler reads. */
export type ResourceClassParametersV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Object of another kind from which this one was made. */
  generatedFrom?: ResourceClassParametersReferenceV1alpha2;
  /** Parameters of all claims of the class, by driver. */
  vendorParameters?: VendorParametersV1alpha2[];
  /** Limits by driver. */
  filters?: ResourceFilterV1alpha2[];
};

/** A kind of resource that can be claimed, and the driver that provides it. */
export type ResourceClassV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Driver that provides it, a domain name. */
  driverName: string;
  /** Object with the parameters for the driver. */
  parametersRef?: ResourceClassParametersReferenceV1alpha2;
  /** Nodes on which it can be used; all when absent. */
  suitableNodes?: core.NodeSelector;
  /** Whether the scheduler allocates the resource, by parameters that it reads. */
  structuredParameters?: boolean;
};

/** Limits the resources of one driver that a class has. */
export interface ResourceFilterV1alpha2 {
  /** Driver that the entry is for; each has one entry. */
  driverName?: string;
  /** Instances of the named resources. */
  namedResources?: NamedResourcesFilterV1alpha2;
}

/** Data about an allocation for a driver on a node. */
export interface ResourceHandleV1alpha2 {
  /** Driver that the data is for. */
  driverName?: string;
  /** Data in the format of the driver. */
  data?: string;
  /** The allocation, where the scheduler made it; not together with `data`. */
  structuredData?: StructuredResourceHandleV1alpha2;
}

/** The pool of devices that a slice is part of. */
export interface ResourcePool {
  /** Name of the pool: domain names joined by slashes. */
  name: string;
  /** Increases with each change of the pool; slices of older generations are ignored. */
  generation: Int64;
  /** How many slices the pool has. */
  resourceSliceCount: Int64;
}

/** The pools whose state is requested. */
export interface ResourcePoolStatusRequestSpecV1alpha3 {
  /** Driver of the pools. */
  driver: string;
  /** Name of the pool; all pools of the driver without it. */
  poolName?: string;
  /** Largest number of pools in the status. */
  limit?: number;
  /** Attribute by which the partitions of devices are summarized whose slice names none. */
  defaultPartitionTypeAttribute?: string;
}

/** The state of the requested pools. */
export interface ResourcePoolStatusRequestStatusV1alpha3 {
  /** Number of pools that match, also those that are left out. */
  poolCount: number;
  /** The first pools that match, by driver and name. */
  pools?: PoolStatusV1alpha3[];
  /** Complete or Failed. */
  conditions?: KeyedList<meta.Condition, 'type'>;
}

/** Asks once for the state of pools of devices; another state needs another request. */
export type ResourcePoolStatusRequestV1alpha3 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The requested pools; it cannot change. */
  spec: ResourcePoolStatusRequestSpecV1alpha3;
  /** The state of the pools; it completes the request and cannot change. */
  status?: ResourcePoolStatusRequestStatusV1alpha3;
};

/** A request for a resource of one driver. */
export interface ResourceRequestV1alpha2 {
  /** Parameters of the resource for the driver. */
  vendorParameters?: Record<string, unknown> | null;
  /** An instance of the named resources. */
  namedResources?: NamedResourcesRequestV1alpha2;
}

/** Some devices of a pool, as their driver publishes them. */
export type ResourceSlice = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The published devices. */
  spec: ResourceSliceSpec;
};

/** Devices of a driver, and the nodes from which they can be used. */
export interface ResourceSliceSpec {
  /** Driver of the devices; it cannot change. */
  driver: string;
  /** Pool of the devices; its name cannot change. */
  pool: ResourcePool;
  /** The only node from which they can be used; it cannot change. */
  nodeName?: string;
  /** Nodes from which they can be used, in one term. */
  nodeSelector?: core.NodeSelector;
  /** Whether they can be used from all nodes. */
  allNodes?: boolean;
  /** The devices. */
  devices?: Device[] | null;
  /** Whether each device names its nodes; true or absent. */
  perDeviceNodeSelection?: boolean;
  /** Counters that the devices of the pool consume; not in a slice with devices. */
  sharedCounters?: CounterSet[];
  /** Attribute of devices that consume counters, whose value is the type of the partition. */
  partitionTypeAttribute?: string;
  /** Operations of the driver on the node that are left out for the devices; * for all of them. */
  skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources' | (string & {}))[];
}

/** Devices of a driver, and the nodes from which they can be used. */
export interface ResourceSliceSpecV1alpha3 {
  /** Driver of the devices; it cannot change. */
  driver: string;
  /** Pool of the devices; its name cannot change. */
  pool: ResourcePool;
  /** The only node from which they can be used; it cannot change. */
  nodeName?: string;
  /** Nodes from which they can be used, in one term. */
  nodeSelector?: core.NodeSelector;
  /** Whether they can be used from all nodes. */
  allNodes?: boolean;
  /** The devices. */
  devices?: DeviceV1alpha3[] | null;
  /** Whether each device names its nodes; true or absent. */
  perDeviceNodeSelection?: boolean;
  /** Counters that the devices of the pool consume; not in a slice with devices. */
  sharedCounters?: CounterSet[];
  /** Attribute of devices that consume counters, whose value is the type of the partition. */
  partitionTypeAttribute?: string;
  /** Operations of the driver on the node that are left out for the devices; * for all of them. */
  skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources' | (string & {}))[];
}

/** Devices of a driver, and the nodes from which they can be used. */
export interface ResourceSliceSpecV1beta1 {
  /** Driver of the devices; it cannot change. */
  driver: string;
  /** Pool of the devices; its name cannot change. */
  pool: ResourcePool;
  /** The only node from which they can be used; it cannot change. */
  nodeName?: string;
  /** Nodes from which they can be used, in one term. */
  nodeSelector?: core.NodeSelector;
  /** Whether they can be used from all nodes. */
  allNodes?: boolean;
  /** The devices. */
  devices?: DeviceV1beta1[] | null;
  /** Whether each device names its nodes; true or absent. */
  perDeviceNodeSelection?: boolean;
  /** Counters that the devices of the pool consume; not in a slice with devices. */
  sharedCounters?: CounterSet[];
  /** Attribute of devices that consume counters, whose value is the type of the partition. */
  partitionTypeAttribute?: string;
  /** Operations of the driver on the node that are left out for the devices; * for all of them. */
  skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources' | (string & {}))[];
}

/** Resources of one driver on a node, as the driver publishes them. */
export type ResourceSliceV1alpha2 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** Node that has the resources; it cannot change. */
  nodeName?: string;
  /** Driver of the resources; it cannot change. */
  driverName: string;
  /** The instances of the driver on the node. */
  namedResources?: NamedResourcesResourcesV1alpha2;
};

/** Some devices of a pool, as their driver publishes them. */
export type ResourceSliceV1alpha3 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The published devices. */
  spec: ResourceSliceSpecV1alpha3;
};

/** Some devices of a pool, as their driver publishes them. */
export type ResourceSliceV1beta1 = {
  kind?: string;
  apiVersion?: string;
  /** Standard object's metadata. */
  metadata: ObjectMeta;
  /** The published devices. */
  spec: ResourceSliceSpecV1beta1;
};

/** Amounts of a capacity of shared devices. */
export interface ShareableCapacityStatusV1alpha3 {
  /** Name of the capacity. */
  name: string;
  /** Amount of all devices. */
  total: string;
  /** Allocated amount. */
  consumed: string;
  /** Amount that can still be allocated. */
  available: string;
}

/** The state of devices that can be allocated several times. */
export interface ShareableSummaryStatusV1alpha3 {
  /** Number of devices that nobody uses. */
  fullyAvailableDevices: number;
  /** Number of devices of which a part is available. */
  partiallyAvailableDevices: number;
  /** Amounts by capacity. */
  capacity?: ShareableCapacityStatusV1alpha3[];
}

/** An allocation by the scheduler: the parameters of class and claim, and what is allocated on the node. */
export interface StructuredResourceHandleV1alpha2 {
  /** Parameters of the class. */
  vendorClassParameters?: Record<string, unknown> | null;
  /** Parameters of the claim. */
  vendorClaimParameters?: Record<string, unknown> | null;
  /** Node on which it is allocated. */
  nodeName?: string;
  /** What is allocated for each request. */
  results: DriverAllocationResultV1alpha2[] | null;
}

/** Parameters for one driver. */
export interface VendorParametersV1alpha2 {
  /** Driver that the entry is for; each has one entry. */
  driverName?: string;
  /** The parameters, in the format of the driver. */
  parameters?: Record<string, unknown> | null;
}

// Generated from the declarations of the built-in kinds by scripts/generate-kind-types.ts: `make fix`.

import type { ObjectMeta } from '@orch/machinery';
import type { ExactNumber } from '@orch/machinery/json';
import type * as core from './core.ts';
import type * as meta from './meta.ts';

export type AllocatedDeviceStatus = {
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly shareID?: string;
  readonly conditions?: readonly meta.Condition[] | null;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly networkData?: NetworkDeviceData;
};

export type AllocationResult = {
  readonly devices?: DeviceAllocationResult;
  readonly nodeSelector?: core.NodeSelector;
  readonly controller?: string;
  readonly allocationTimestamp?: string;
};

export type AllocationResultV1alpha1 = {
  readonly resourceHandle?: string;
  readonly availableOnNodes?: core.NodeSelector;
  readonly shareable?: boolean;
};

export type AllocationResultV1alpha2 = {
  readonly resourceHandles?: readonly ResourceHandleV1alpha2[];
  readonly availableOnNodes?: core.NodeSelector;
  readonly shareable?: boolean;
};

export type BasicDeviceV1alpha3 = {
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, string>>;
  readonly consumesCounters?: readonly DeviceCounterConsumption[];
  readonly nodeName?: string;
  readonly nodeSelector?: core.NodeSelector;
  readonly allNodes?: boolean;
  readonly taints?: readonly DeviceTaint[];
  readonly bindsToNode?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly allowMultipleAllocations?: boolean;
  readonly nodeAllocatableResourceMappings?: Readonly<Record<string, NodeAllocatableResourceMapping>>;
  readonly nodeAllocatableResources?: Readonly<Record<string, NodeAllocatableResource>>;
};

export type BasicDeviceV1beta1 = {
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>;
  readonly consumesCounters?: readonly DeviceCounterConsumption[];
  readonly nodeName?: string;
  readonly nodeSelector?: core.NodeSelector;
  readonly allNodes?: boolean;
  readonly taints?: readonly DeviceTaint[];
  readonly bindsToNode?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly allowMultipleAllocations?: boolean;
  readonly nodeAllocatableResourceMappings?: Readonly<Record<string, NodeAllocatableResourceMapping>>;
  readonly nodeAllocatableResources?: Readonly<Record<string, NodeAllocatableResource>>;
};

export type CELDeviceSelector = {
  readonly expression?: string;
};

export type CapacityRequestPolicy = {
  readonly default?: string | null;
  readonly validValues?: readonly string[];
  readonly validRange?: CapacityRequestPolicyRange;
};

export type CapacityRequestPolicyRange = {
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
};

export type CapacityRequirements = {
  readonly requests?: Readonly<Record<string, string>>;
};

export type Counter = {
  readonly value?: string;
};

export type CounterSet = {
  readonly name?: string;
  readonly counters?: Readonly<Record<string, Counter>>;
};

export type Device = {
  readonly name?: string;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>;
  readonly consumesCounters?: readonly DeviceCounterConsumption[];
  readonly nodeName?: string;
  readonly nodeSelector?: core.NodeSelector;
  readonly allNodes?: boolean;
  readonly taints?: readonly DeviceTaint[];
  readonly bindsToNode?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly allowMultipleAllocations?: boolean;
  readonly nodeAllocatableResourceMappings?: Readonly<Record<string, NodeAllocatableResourceMapping>>;
  readonly nodeAllocatableResources?: Readonly<Record<string, NodeAllocatableResource>>;
};

export type DeviceAllocationConfiguration = {
  readonly source?: string;
  readonly requests?: readonly string[];
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type DeviceAllocationResult = {
  readonly results?: readonly DeviceRequestAllocationResult[];
  readonly config?: readonly DeviceAllocationConfiguration[];
};

export type DeviceAttribute = {
  readonly int?: number | ExactNumber;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
  readonly ints?: readonly (number | ExactNumber)[];
  readonly bools?: readonly boolean[];
  readonly strings?: readonly string[];
  readonly versions?: readonly string[];
};

export type DeviceCapacity = {
  readonly value?: string;
  readonly requestPolicy?: CapacityRequestPolicy;
};

export type DeviceClaim = {
  readonly requests?: readonly DeviceRequest[] | null;
  readonly constraints?: readonly DeviceConstraint[];
  readonly config?: readonly DeviceClaimConfiguration[];
};

export type DeviceClaimConfiguration = {
  readonly requests?: readonly string[];
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type DeviceClaimV1beta1 = {
  readonly requests?: readonly DeviceRequestV1beta1[] | null;
  readonly constraints?: readonly DeviceConstraint[];
  readonly config?: readonly DeviceClaimConfiguration[];
};

export type DeviceClass = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DeviceClassSpec;
};

export type DeviceClassConfiguration = {
  readonly opaque?: OpaqueDeviceConfiguration;
};

export type DeviceClassSpec = {
  readonly selectors?: readonly DeviceSelector[];
  readonly config?: readonly DeviceClassConfiguration[];
  readonly suitableNodes?: core.NodeSelector;
  readonly extendedResourceName?: string;
};

export type DeviceConstraint = {
  readonly requests?: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
};

export type DeviceCounterConsumption = {
  readonly counterSet?: string;
  readonly counters?: Readonly<Record<string, Counter>>;
  readonly compatibilityGroups?: readonly string[];
};

export type DeviceDerivedAttribute = {
  readonly name?: string;
  readonly expression?: string;
};

export type DeviceRequest = {
  readonly name?: string;
  readonly exactly?: ExactDeviceRequest;
  readonly firstAvailable?: readonly DeviceSubRequest[];
};

export type DeviceRequestAllocationResult = {
  readonly request?: string;
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly shareID?: string;
  readonly consumedCapacity?: Readonly<Record<string, string>>;
  readonly skipNodeOperations?: readonly string[];
};

export type DeviceRequestV1beta1 = {
  readonly name?: string;
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number | ExactNumber;
  readonly adminAccess?: boolean;
  readonly firstAvailable?: readonly DeviceSubRequestV1beta1[];
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
  readonly derivedAttributes?: readonly DeviceDerivedAttribute[];
};

export type DeviceSelector = {
  readonly cel?: CELDeviceSelector;
};

export type DeviceSubRequest = {
  readonly name?: string;
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number | ExactNumber;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
  readonly derivedAttributes?: readonly DeviceDerivedAttribute[];
};

export type DeviceSubRequestV1beta1 = {
  readonly name?: string;
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number | ExactNumber;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
  readonly derivedAttributes?: readonly DeviceDerivedAttribute[];
};

export type DeviceTaint = {
  readonly key?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly timeAdded?: string;
};

export type DeviceTaintRule = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: DeviceTaintRuleSpec;
  readonly status?: DeviceTaintRuleStatus;
};

export type DeviceTaintRuleSpec = {
  readonly deviceSelector?: DeviceTaintSelector;
  readonly taint?: DeviceTaint;
};

export type DeviceTaintRuleStatus = {
  readonly conditions?: readonly meta.Condition[];
};

export type DeviceTaintSelector = {
  readonly deviceClassName?: string;
  readonly driver?: string;
  readonly pool?: string;
  readonly device?: string;
  readonly selectors?: readonly DeviceSelector[];
};

export type DeviceToleration = {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number | ExactNumber;
};

export type DeviceV1alpha3 = {
  readonly name?: string;
  readonly basic?: BasicDeviceV1alpha3;
};

export type DeviceV1beta1 = {
  readonly name?: string;
  readonly basic?: BasicDeviceV1beta1;
};

export type DriverAllocationResultV1alpha2 = {
  readonly vendorRequestParameters?: Readonly<Record<string, unknown>> | null;
  readonly namedResources?: NamedResourcesAllocationResultV1alpha2;
};

export type DriverRequestsV1alpha2 = {
  readonly driverName?: string;
  readonly vendorParameters?: Readonly<Record<string, unknown>> | null;
  readonly requests?: readonly ResourceRequestV1alpha2[];
};

export type ExactDeviceRequest = {
  readonly deviceClassName?: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number | ExactNumber;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly DeviceToleration[];
  readonly capacity?: CapacityRequirements;
  readonly derivedAttributes?: readonly DeviceDerivedAttribute[];
};

export type NamedResourcesAllocationResultV1alpha2 = {
  readonly name?: string;
};

export type NamedResourcesAttributeV1alpha2 = {
  readonly name?: string;
  readonly quantity?: string;
  readonly bool?: boolean;
  readonly int?: number | ExactNumber;
  readonly intSlice?: NamedResourcesIntSliceV1alpha2;
  readonly string?: string;
  readonly stringSlice?: NamedResourcesStringSliceV1alpha2;
  readonly version?: string;
};

export type NamedResourcesFilterV1alpha2 = {
  readonly selector?: string;
};

export type NamedResourcesInstanceV1alpha2 = {
  readonly name?: string;
  readonly attributes?: readonly NamedResourcesAttributeV1alpha2[];
};

export type NamedResourcesIntSliceV1alpha2 = {
  readonly ints?: readonly (number | ExactNumber)[] | null;
};

export type NamedResourcesRequestV1alpha2 = {
  readonly selector?: string;
};

export type NamedResourcesResourcesV1alpha2 = {
  readonly instances?: readonly NamedResourcesInstanceV1alpha2[] | null;
};

export type NamedResourcesStringSliceV1alpha2 = {
  readonly strings?: readonly string[] | null;
};

export type NetworkDeviceData = {
  readonly interfaceName?: string;
  readonly ips?: readonly string[];
  readonly hardwareAddress?: string;
};

export type NodeAllocatableMapping = {
  readonly capacityKey?: string;
  readonly capacityMultiplier?: string;
  readonly deviceMultiplier?: string;
};

export type NodeAllocatableOverhead = {
  readonly perPod?: string;
  readonly perContainer?: string;
};

export type NodeAllocatableResource = {
  readonly mapping?: NodeAllocatableMapping;
  readonly overhead?: NodeAllocatableOverhead;
};

export type NodeAllocatableResourceMapping = {
  readonly capacityKey?: string;
  readonly allocationMultiplier?: string;
};

export type OpaqueDeviceConfiguration = {
  readonly driver?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

export type PartitionTypeStatusV1alpha3 = {
  readonly attribute?: string;
  readonly type?: string;
  readonly total?: number;
  readonly allocatable?: number;
};

export type PodSchedulingContextSpecV1alpha3 = {
  readonly selectedNode?: string;
  readonly potentialNodes?: readonly string[];
};

export type PodSchedulingContextStatusV1alpha3 = {
  readonly resourceClaims?: readonly ResourceClaimSchedulingStatusV1alpha3[];
};

export type PodSchedulingContextV1alpha3 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodSchedulingContextSpecV1alpha3;
  readonly status?: PodSchedulingContextStatusV1alpha3;
};

export type PodSchedulingSpecV1alpha1 = {
  readonly selectedNode?: string;
  readonly potentialNodes?: readonly string[];
};

export type PodSchedulingStatusV1alpha1 = {
  readonly resourceClaims?: readonly ResourceClaimSchedulingStatusV1alpha1[];
};

export type PodSchedulingV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: PodSchedulingSpecV1alpha1;
  readonly status?: PodSchedulingStatusV1alpha1;
};

export type PoolStatusV1alpha3 = {
  readonly driver?: string;
  readonly poolName?: string;
  readonly generation?: number | ExactNumber;
  readonly resourceSliceCount?: number;
  readonly totalDevices?: number;
  readonly allocatedDevices?: number;
  readonly availableDevices?: number;
  readonly unavailableDevices?: number;
  readonly nodeName?: string;
  readonly validationError?: string;
  readonly partitionSummary?: readonly PartitionTypeStatusV1alpha3[];
  readonly shareableSummary?: ShareableSummaryStatusV1alpha3;
};

export type ResourceClaim = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimSpec;
  readonly status?: ResourceClaimStatus;
};

export type ResourceClaimConsumerReference = {
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly uid?: string;
};

export type ResourceClaimConsumerReferenceV1alpha2 = {
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly name?: string;
  readonly uid?: string;
};

export type ResourceClaimParametersReferenceV1alpha2 = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
};

export type ResourceClaimParametersV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly generatedFrom?: ResourceClaimParametersReferenceV1alpha2;
  readonly shareable?: boolean;
  readonly driverRequests?: readonly DriverRequestsV1alpha2[];
};

export type ResourceClaimSchedulingStatusV1alpha1 = {
  readonly name?: string;
  readonly unsuitableNodes?: readonly string[];
};

export type ResourceClaimSchedulingStatusV1alpha3 = {
  readonly name?: string;
  readonly unsuitableNodes?: readonly string[];
};

export type ResourceClaimSpec = {
  readonly devices?: DeviceClaim;
  readonly controller?: string;
};

export type ResourceClaimSpecV1alpha2 = {
  readonly resourceClassName?: string;
  readonly parametersRef?: ResourceClaimParametersReferenceV1alpha2;
  readonly allocationMode?: string;
};

export type ResourceClaimSpecV1beta1 = {
  readonly devices?: DeviceClaimV1beta1;
  readonly controller?: string;
};

export type ResourceClaimStatus = {
  readonly allocation?: AllocationResult;
  readonly reservedFor?: readonly ResourceClaimConsumerReference[];
  readonly deallocationRequested?: boolean;
  readonly devices?: readonly AllocatedDeviceStatus[];
};

export type ResourceClaimStatusV1alpha1 = {
  readonly driverName?: string;
  readonly allocation?: AllocationResultV1alpha1;
  readonly reservedFor?: readonly ResourceClaimConsumerReferenceV1alpha2[];
  readonly deallocationRequested?: boolean;
};

export type ResourceClaimStatusV1alpha2 = {
  readonly driverName?: string;
  readonly allocation?: AllocationResultV1alpha2;
  readonly reservedFor?: readonly ResourceClaimConsumerReferenceV1alpha2[];
  readonly deallocationRequested?: boolean;
};

export type ResourceClaimTemplate = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimTemplateSpec;
};

export type ResourceClaimTemplateSpec = {
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceClaimSpec;
};

export type ResourceClaimTemplateSpecV1alpha2 = {
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceClaimSpecV1alpha2;
};

export type ResourceClaimTemplateSpecV1beta1 = {
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceClaimSpecV1beta1;
};

export type ResourceClaimTemplateV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimTemplateSpecV1alpha2;
};

export type ResourceClaimTemplateV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimTemplateSpecV1beta1;
};

export type ResourceClaimV1alpha1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimSpecV1alpha2;
  readonly status?: ResourceClaimStatusV1alpha1;
};

export type ResourceClaimV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimSpecV1alpha2;
  readonly status?: ResourceClaimStatusV1alpha2;
};

export type ResourceClaimV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceClaimSpecV1beta1;
  readonly status?: ResourceClaimStatus;
};

export type ResourceClassParametersReferenceV1alpha2 = {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
};

export type ResourceClassParametersV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly generatedFrom?: ResourceClassParametersReferenceV1alpha2;
  readonly vendorParameters?: readonly VendorParametersV1alpha2[];
  readonly filters?: readonly ResourceFilterV1alpha2[];
};

export type ResourceClassV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly driverName?: string;
  readonly parametersRef?: ResourceClassParametersReferenceV1alpha2;
  readonly suitableNodes?: core.NodeSelector;
  readonly structuredParameters?: boolean;
};

export type ResourceFilterV1alpha2 = {
  readonly driverName?: string;
  readonly namedResources?: NamedResourcesFilterV1alpha2;
};

export type ResourceHandleV1alpha2 = {
  readonly driverName?: string;
  readonly data?: string;
  readonly structuredData?: StructuredResourceHandleV1alpha2;
};

export type ResourcePool = {
  readonly name?: string;
  readonly generation?: number | ExactNumber;
  readonly resourceSliceCount?: number | ExactNumber;
};

export type ResourcePoolStatusRequestSpecV1alpha3 = {
  readonly driver?: string;
  readonly poolName?: string;
  readonly limit?: number;
  readonly defaultPartitionTypeAttribute?: string;
};

export type ResourcePoolStatusRequestStatusV1alpha3 = {
  readonly poolCount?: number;
  readonly pools?: readonly PoolStatusV1alpha3[];
  readonly conditions?: readonly meta.Condition[];
};

export type ResourcePoolStatusRequestV1alpha3 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourcePoolStatusRequestSpecV1alpha3;
  readonly status?: ResourcePoolStatusRequestStatusV1alpha3;
};

export type ResourceRequestV1alpha2 = {
  readonly vendorParameters?: Readonly<Record<string, unknown>> | null;
  readonly namedResources?: NamedResourcesRequestV1alpha2;
};

export type ResourceSlice = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceSliceSpec;
};

export type ResourceSliceSpec = {
  readonly driver?: string;
  readonly pool?: ResourcePool;
  readonly nodeName?: string;
  readonly nodeSelector?: core.NodeSelector;
  readonly allNodes?: boolean;
  readonly devices?: readonly Device[] | null;
  readonly perDeviceNodeSelection?: boolean;
  readonly sharedCounters?: readonly CounterSet[];
  readonly partitionTypeAttribute?: string;
  readonly skipNodeOperations?: readonly string[];
};

export type ResourceSliceSpecV1alpha3 = {
  readonly driver?: string;
  readonly pool?: ResourcePool;
  readonly nodeName?: string;
  readonly nodeSelector?: core.NodeSelector;
  readonly allNodes?: boolean;
  readonly devices?: readonly DeviceV1alpha3[] | null;
  readonly perDeviceNodeSelection?: boolean;
  readonly sharedCounters?: readonly CounterSet[];
  readonly partitionTypeAttribute?: string;
  readonly skipNodeOperations?: readonly string[];
};

export type ResourceSliceSpecV1beta1 = {
  readonly driver?: string;
  readonly pool?: ResourcePool;
  readonly nodeName?: string;
  readonly nodeSelector?: core.NodeSelector;
  readonly allNodes?: boolean;
  readonly devices?: readonly DeviceV1beta1[] | null;
  readonly perDeviceNodeSelection?: boolean;
  readonly sharedCounters?: readonly CounterSet[];
  readonly partitionTypeAttribute?: string;
  readonly skipNodeOperations?: readonly string[];
};

export type ResourceSliceV1alpha2 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly nodeName?: string;
  readonly driverName?: string;
  readonly namedResources?: NamedResourcesResourcesV1alpha2;
};

export type ResourceSliceV1alpha3 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceSliceSpecV1alpha3;
};

export type ResourceSliceV1beta1 = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ResourceSliceSpecV1beta1;
};

export type ShareableCapacityStatusV1alpha3 = {
  readonly name?: string;
  readonly total?: string;
  readonly consumed?: string;
  readonly available?: string;
};

export type ShareableSummaryStatusV1alpha3 = {
  readonly fullyAvailableDevices?: number;
  readonly partiallyAvailableDevices?: number;
  readonly capacity?: readonly ShareableCapacityStatusV1alpha3[];
};

export type StructuredResourceHandleV1alpha2 = {
  readonly vendorClassParameters?: Readonly<Record<string, unknown>> | null;
  readonly vendorClaimParameters?: Readonly<Record<string, unknown>> | null;
  readonly nodeName?: string;
  readonly results?: readonly DriverAllocationResultV1alpha2[] | null;
};

export type VendorParametersV1alpha2 = {
  readonly driverName?: string;
  readonly parameters?: Readonly<Record<string, unknown>> | null;
};

import { f, items, struct } from '@orch/schema';
import { NodeSelector } from '../../core/shared/selectors.ts';
import { Condition } from '../../meta/condition.ts';
import { RawExtension } from '../../meta/raw.ts';
import { driverName } from '../../validation-rules.ts';
import { controllerOnly } from '../shared/control-plane-controller.ts';
import {
  binding,
  bindingConditionsField,
  bindingFailureConditionsField,
} from '../shared/device/binding-conditions.ts';
import { consumable } from '../shared/device/capacity.ts';
import { DeviceAllocationConfiguration } from '../shared/device/configuration.ts';
import { formatted } from '../shared/device/required.ts';
import { skippedOperationsField } from '../shared/device/skipped-operations.ts';
import { tolerationsField } from '../shared/device/taint.ts';
import { checkDeallocation } from './deallocation.ts';

const MAX_RESULTS = 32;
/** Those of the class and of the claim. */
const MAX_CONFIGURATIONS = 64;
const MAX_CONSUMERS = 256;
const MAX_CONDITIONS = 8;
const MAX_INTERFACE_BYTES = 256;
const MAX_HARDWARE_ADDRESS_BYTES = 128;
const MAX_ADDRESSES = 16;

const driver = (num: number) =>
  f.string(num, { doc: 'Driver of the device.', presence: 'always', required: true });

const pool = (num: number) => f.string(num, { doc: 'Pool of the device.', presence: 'always' });

const device = (num: number) => f.string(num, { doc: 'Name of the device in its pool.', presence: 'always' });

const shareID = (num: number) =>
  f.string(num, {
    doc: 'Identity of this share of a device that several claims use.',
    presence: 'pointer',
    ...consumable,
  });

const identified = [driverName('driver'), formatted('device', 'dns1123label')];

const AllocatedDevice = struct(
  'resource.v1.DeviceRequestAllocationResult',
  'A device that is allocated for a request.',
  {
    request: f.string(1, { doc: 'Request that it satisfies.', presence: 'always' }),
    driver: driver(2),
    pool: pool(3),
    device: device(4),
    adminAccess: f.bool(5, {
      doc: 'Whether the device is allocated for its administration.',
      presence: 'pointer',
      gate: 'DRAAdminAccess',
      since: '1.34',
    }),
    tolerations: tolerationsField(6),
    bindingConditions: bindingConditionsField(7),
    bindingFailureConditions: bindingFailureConditionsField(8),
    shareID: shareID(9),
    consumedCapacity: f.map(10, items.quantity, {
      doc: 'Capacities of the device that it takes, by name.',
      ...consumable,
    }),
    skipNodeOperations: skippedOperationsField(11),
  },
  { checks: identified },
);

const DeviceAllocation = struct('resource.v1.DeviceAllocationResult', 'Allocated devices.', {
  results: f.list(1, AllocatedDevice, {
    doc: 'The devices.',
    listType: 'atomic',
    maxItems: MAX_RESULTS,
  }),
  config: f.list(2, DeviceAllocationConfiguration, {
    doc: 'Configurations of the class and of the claim, in the order in which they apply.',
    listType: 'atomic',
    maxItems: MAX_CONFIGURATIONS,
  }),
});

const Allocation = struct(
  'resource.v1.AllocationResult',
  'What is allocated, and where it can be used.',
  {
    devices: f.struct(1, DeviceAllocation, {
      doc: 'The devices and their configuration.',
      presence: 'always',
    }),
    nodeSelector: f.struct(3, NodeSelector, {
      doc: 'Nodes from which it can be used; all when absent.',
      presence: 'pointer',
    }),
    controller: f.string(4, {
      doc: 'Driver that made the allocation and releases it; the scheduler when empty.',
      ...controllerOnly,
    }),
    allocationTimestamp: f.time(5, { doc: 'When it was allocated.', presence: 'pointer', ...binding }),
  },
  { checks: [driverName('controller')] },
);

const NetworkData = struct('resource.v1.NetworkDeviceData', 'State of a network device.', {
  interfaceName: f.string(1, { doc: 'Name of the interface in the pod.', maxBytes: MAX_INTERFACE_BYTES }),
  ips: f.list(2, items.string, {
    doc: 'Addresses of the interface with their prefix lengths.',
    listType: 'atomic',
    maxItems: MAX_ADDRESSES,
  }),
  hardwareAddress: f.string(3, {
    doc: 'Hardware address of the interface.',
    maxBytes: MAX_HARDWARE_ADDRESS_BYTES,
  }),
});

const DeviceStatus = struct(
  'resource.v1.AllocatedDeviceStatus',
  'What the driver reports about a device.',
  {
    driver: driver(1),
    pool: pool(2),
    device: device(3),
    shareID: shareID(7),
    conditions: f.list(4, Condition, {
      doc: 'Aspects of its state, by type.',
      presence: 'always',
      openapiRequired: false,
      listType: 'map',
      mapKeys: ['type'],
      maxItems: MAX_CONDITIONS,
      uniqueBy: 'type',
    }),
    data: f.struct(5, RawExtension, { doc: 'Data in the format of the driver.', presence: 'pointer' }),
    networkData: f.struct(6, NetworkData, {
      doc: 'Addresses and interface, of a network device.',
      presence: 'pointer',
    }),
  },
  { checks: identified },
);

const Consumer = struct(
  'resource.v1.ResourceClaimConsumerReference',
  'Names the object that a claim is reserved for, in the same namespace.',
  {
    apiGroup: f.string(1, { doc: 'Group of the object; empty for the core group.' }),
    resource: f.string(3, {
      doc: 'Resource of the object, such as pods.',
      presence: 'always',
      required: true,
    }),
    name: f.string(4, { doc: 'Name of the object.', presence: 'always', required: true }),
    uid: f.string(5, { doc: 'Identity of the object.', presence: 'always', required: true }),
  },
);

export const ClaimStatus = struct(
  'resource.v1.ResourceClaimStatus',
  'Allocation of a claim, and its consumers.',
  {
    allocation: f.struct(1, Allocation, {
      doc: 'The allocation; absent while there is none. It cannot change until it is released.',
      presence: 'pointer',
    }),
    reservedFor: f.list(2, Consumer, {
      doc: 'Consumers that may use it now, usually pods. None is added while the claim is being deleted.',
      listType: 'map',
      mapKeys: ['uid'],
      patchStrategy: 'merge',
      patchMergeKey: 'uid',
      maxItems: MAX_CONSUMERS,
    }),
    deallocationRequested: f.bool(3, {
      doc: 'Requests that the driver releases the allocation, and prevents further consumers.',
      ...controllerOnly,
    }),
    devices: f.list(4, DeviceStatus, {
      doc: 'What the drivers report about allocated devices.',
      listType: 'map',
      mapKeys: ['driver', 'device', 'pool', 'shareID'],
      gate: 'DRAResourceClaimDeviceStatus',
      since: '1.33',
    }),
  },
  { checks: [checkDeallocation] },
);

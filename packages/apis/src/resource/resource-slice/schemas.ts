import { f, items, type StructSchema, struct } from '@orch/schema';
import { NodeSelector } from '../../core/shared/selectors.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import { driverName } from '../../validation-rules.ts';
import { partitionable, sharedCountersField } from '../shared/device/counters.ts';
import { deviceFields } from '../shared/device/device.ts';
import { formatted } from '../shared/device/required.ts';
import { skippedOperationsField } from '../shared/device/skipped-operations.ts';
import { checkSlice, checkSliceV1Alpha3, checkSliceV1Beta1 } from './validation.ts';

const deviceName = f.string(1, {
  doc: 'Name of the device, unique in its pool.',
  presence: 'always',
});
const named = formatted('name', 'dns1123label');

const Device = struct(
  'resource.v1.Device',
  'A device that can be claimed.',
  { name: deviceName, ...deviceFields(2) },
  { checks: [named] },
);

const BasicDevice = struct(
  'resource.v1beta1.BasicDevice',
  'What is known about a device.',
  deviceFields(1, 14),
);

/** Capacities are mere quantities in the alpha version. */
const BasicDeviceV1Alpha3 = struct('resource.v1alpha3.BasicDevice', 'What is known about a device.', {
  ...deviceFields(1, 14),
  capacity: f.map(2, items.quantity, {
    doc: 'Capacities by name, with the domain of a driver or without.',
  }),
});

const namedDevice = (version: string, basic: StructSchema): StructSchema =>
  struct(
    `resource.${version}.Device`,
    'A device that can be claimed.',
    {
      name: deviceName,
      basic: f.struct(2, basic, { doc: 'What is known about it.', presence: 'pointer' }),
    },
    { checks: [named] },
  );

const Pool = struct('resource.v1.ResourcePool', 'The pool of devices that a slice is part of.', {
  name: f.string(1, { doc: 'Name of the pool: domain names joined by slashes.', presence: 'always' }),
  generation: f.int64(2, {
    doc: 'Increases with each change of the pool; slices of older generations are ignored.',
    presence: 'always',
    min: 0,
  }),
  resourceSliceCount: f.int64(3, { doc: 'How many slices the pool has.', presence: 'always', min: 1 }),
});

interface Different {
  readonly device: StructSchema;
  readonly presence: 'pointer' | 'optional';
  readonly check: typeof checkSlice;
}

const sliceOf = (version: string, { device, presence, check }: Different): StructSchema => {
  const spec = struct(
    `resource.${version}.ResourceSliceSpec`,
    'Devices of a driver, and the nodes from which they can be used.',
    {
      driver: f.string(1, {
        doc: 'Driver of the devices; it cannot change.',
        presence: 'always',
        required: true,
        immutable: true,
      }),
      pool: f.struct(2, Pool, {
        doc: 'Pool of the devices; its name cannot change.',
        presence: 'always',
        openapiRequired: true,
      }),
      nodeName: f.string(3, {
        doc: 'The only node from which they can be used; it cannot change.',
        presence,
        format: 'dns1123subdomain',
        immutable: true,
      }),
      nodeSelector: f.struct(4, NodeSelector, {
        doc: 'Nodes from which they can be used, in one term.',
        presence: 'pointer',
      }),
      allNodes: f.bool(5, { doc: 'Whether they can be used from all nodes.', presence }),
      devices: f.list(6, device, {
        doc: 'The devices.',
        presence: 'always',
        openapiRequired: false,
        omittedSince: '1.35',
        listType: 'atomic',
      }),
      perDeviceNodeSelection: f.bool(7, {
        doc: 'Whether each device names its nodes; true or absent.',
        presence: 'pointer',
        ...partitionable,
      }),
      sharedCounters: sharedCountersField,
      partitionTypeAttribute: f.string(9, {
        doc: 'Attribute of devices that consume counters, whose value is the type of the partition.',
        presence: 'pointer',
        gate: 'DRAPartitionableDevicesType',
        since: 'never',
      }),
      skipNodeOperations: skippedOperationsField(10),
    },
    { checks: [driverName('driver'), check] },
  );
  return struct(
    `resource.${version}.ResourceSlice`,
    'Some devices of a pool, as their driver publishes them.',
    {
      metadata: metadataField,
      spec: f.struct(2, spec, {
        doc: 'The published devices.',
        presence: 'always',
        openapiRequired: true,
      }),
    },
    { typeMeta: true },
  );
};

export const ResourceSlice = sliceOf('v1', { device: Device, presence: 'pointer', check: checkSlice });
export const ResourceSliceV1Beta1 = sliceOf('v1beta1', {
  device: namedDevice('v1beta1', BasicDevice),
  presence: 'optional',
  check: checkSliceV1Beta1,
});
export const ResourceSliceV1Alpha3 = sliceOf('v1alpha3', {
  device: namedDevice('v1alpha3', BasicDeviceV1Alpha3),
  presence: 'optional',
  check: checkSliceV1Alpha3,
});

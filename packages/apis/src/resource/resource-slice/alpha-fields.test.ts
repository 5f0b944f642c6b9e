import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writePath } from '../../testing/write-path.ts';
import { causes } from '../../testing/writes.ts';
import { resourceSlices } from './index.ts';

const path = writePath(undefined, '1.37', {
  openGates: new Set([
    'DRADeviceCompatibilityGroups',
    'DRANodeAllocatableResources',
    'DRAOptionalNodeOperations',
    'DRAPartitionableDevicesType',
  ]),
});
const driver = 'gpu.example.com';
const profile = `${driver}/profile`;
const device = { name: 'd', capacity: { memory: { value: '1Gi' } } };
const sharedBy = (fields: object): object => ({
  name: 'd',
  consumesCounters: [{ counterSet: 's', counters: { c: { value: '1' } }, ...fields }],
});
const slice = (fields: object): object => ({
  metadata: { name: 's' },
  spec: {
    driver,
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    allNodes: true,
    devices: [device],
    ...fields,
  },
});
const taking = (resource: object, name = 'cpu'): object =>
  slice({ devices: [{ ...device, nodeAllocatableResources: { [name]: resource } }] });
const typed = (attributes: object): object =>
  slice({ partitionTypeAttribute: profile, devices: [{ ...sharedBy({}), attributes }] });
const cpu = 'spec.devices[0].nodeAllocatableResources[cpu]';

describe('alpha fields of slices of release 1.37', () => {
  for (const [title, object, ...expected] of [
    ['a device that stands for processors', taking({ mapping: { deviceMultiplier: '8' } })],
    [
      'a device with a capacity that stands for memory',
      taking({ mapping: { capacityKey: 'memory', capacityMultiplier: '1' } }),
    ],
    ['a device that takes nothing', taking({}), `FieldValueRequired ${cpu}`],
    [
      'a resource that nodes do not have',
      taking({ overhead: { perPod: '1' } }, 'example.com/x'),
      'FieldValueInvalid spec.devices[0].nodeAllocatableResources[example.com/x]',
    ],
    ['an overhead of nothing', taking({ overhead: {} }), `FieldValueInvalid ${cpu}.overhead`],
    [
      'a negative overhead',
      taking({ overhead: { perContainer: '-1' } }),
      `FieldValueInvalid ${cpu}.overhead.perContainer`,
    ],
    [
      'a capacity that the device does not have',
      taking({ mapping: { capacityKey: 'cores', capacityMultiplier: '0' } }),
      `FieldValueInvalid ${cpu}.mapping.capacityMultiplier`,
      `FieldValueNotFound ${cpu}.mapping.capacityKey`,
    ],
    [
      'a factor of no capacity',
      taking({ mapping: { capacityMultiplier: '1', deviceMultiplier: '1' } }),
      `FieldValueRequired ${cpu}.mapping.capacityKey`,
    ],
    ['operations that are left out', slice({ skipNodeOperations: ['NodeUnprepareResources'] })],
    [
      'a preparation without a release',
      slice({ skipNodeOperations: ['NodePrepareResources'] }),
      'FieldValueInvalid spec.skipNodeOperations',
    ],
    [
      'an unknown operation',
      slice({ skipNodeOperations: ['Sleep'] }),
      'FieldValueNotSupported spec.skipNodeOperations[0]',
    ],
    ['partitions with a type', typed({ profile: { string: 'Half' } })],
    ['partitions without a type', typed({}), `FieldValueRequired spec.devices[0].attributes[${profile}]`],
    [
      'a type that is a number',
      typed({ profile: { int: 2 } }),
      `FieldValueInvalid spec.devices[0].attributes[${profile}]`,
    ],
    [
      'a type of devices that are no partitions',
      slice({ partitionTypeAttribute: profile }),
      'FieldValueInvalid spec.partitionTypeAttribute',
    ],
    [
      'three groups',
      slice({ devices: [sharedBy({ compatibilityGroups: ['a', 'b', 'c'] })] }),
      'FieldValueTooMany spec.devices[0].consumesCounters[0].compatibilityGroups',
    ],
  ] as const)
    it(`the errors of a slice with ${title} are reported`, () =>
      assert.deepEqual(causes(path.create(resourceSlices, object)).toSorted(), expected));
});

import type {
  Device,
  NodeAllocatableMapping,
  NodeAllocatableOverhead,
  NodeAllocatableResource,
  NodeAllocatableResourceMapping,
} from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { parseQuantity, quantitySign } from '@orch/machinery/quantity';
import { f, struct } from '@orch/schema';
import { exactlyOneOf } from '../../../validation-rules.ts';

const allocatable = { gate: 'DRANodeAllocatableResources', since: 'never' } as const;

type Capacities = NonNullable<Device['capacity']>;

const NodeResourceMapping = struct(
  'resource.v1.NodeAllocatableResourceMapping',
  'How much of a resource of the node a device takes.',
  {
    capacityKey: f.string(1, { doc: 'Capacity whose amount is taken.', presence: 'pointer' }),
    allocationMultiplier: f.quantity(2, {
      doc: 'Factor of the amount, or the amount for each device.',
      presence: 'pointer',
      default: '1',
    }),
  },
);

/** The form of release 1.36. */
export const nodeResourceMappingsField = (num: number) =>
  f.map(num, NodeResourceMapping, {
    doc: 'Resources of the node that it takes, by name.',
    until: '1.37',
    ...allocatable,
  });

const Mapping = struct(
  'resource.v1.NodeAllocatableMapping',
  'The amount that a device stands for: a multiple of a capacity, or an amount for each device.',
  {
    capacityKey: f.string(1, { doc: 'Capacity whose consumed amount is multiplied.', presence: 'pointer' }),
    capacityMultiplier: f.quantity(2, { doc: 'Factor of the capacity.', presence: 'pointer' }),
    deviceMultiplier: f.quantity(3, { doc: 'Amount for each device.', presence: 'pointer' }),
  },
  { checks: [exactlyOneOf('capacityKey', 'deviceMultiplier')] },
);

const Overhead = struct(
  'resource.v1.NodeAllocatableOverhead',
  'The amount that the use of a device takes besides.',
  {
    perPod: f.quantity(1, { doc: 'Amount for each pod with the claim.', presence: 'pointer' }),
    perContainer: f.quantity(2, { doc: 'Amount for each container with the claim.', presence: 'pointer' }),
  },
);

const NodeResource = struct(
  'resource.v1.NodeAllocatableResource',
  'How much of a resource of the node the allocation of a device takes.',
  {
    mapping: f.struct(3, Mapping, { doc: 'The amount, if the device stands for it.', presence: 'pointer' }),
    overhead: f.struct(4, Overhead, { doc: 'The amount that pods need besides.', presence: 'pointer' }),
  },
);

export const nodeResourcesField = (num: number) =>
  f.map(num, NodeResource, {
    doc: 'Resources of the node that it takes, by name.',
    gatedSince: '1.37',
    ...allocatable,
  });

/** Checks the sign of an amount that may be absent. */
function checkSign(path: string, amount: string | undefined, least: 0 | 1): readonly FieldError[] {
  if (amount === undefined || quantitySign(parseQuantity(amount)) >= least) return [];
  return [fieldError.invalid(path, amount, least === 1 ? 'must be positive' : 'must be non-negative')];
}

function checkKey(path: string, key: string | undefined, capacity: Capacities): readonly FieldError[] {
  if (key === undefined || Object.hasOwn(capacity, key)) return [];
  return [key === '' ? fieldError.invalid(path, key, 'must not be empty') : fieldError.notFound(path, key)];
}

function checkMapping(path: string, mapping: NodeAllocatableMapping, capacity: Capacities) {
  const { capacityKey, capacityMultiplier, deviceMultiplier } = mapping;
  const together = (field: string, other: string): readonly FieldError[] => [
    fieldError.required(`${path}.${field}`, `${field} is required when ${other} is set`),
  ];
  return [
    ...checkKey(`${path}.capacityKey`, capacityKey, capacity),
    ...(capacityKey !== undefined && capacityMultiplier === undefined
      ? together('capacityMultiplier', 'capacityKey')
      : []),
    ...(capacityKey === undefined ? [] : checkSign(`${path}.capacityMultiplier`, capacityMultiplier, 1)),
    ...checkSign(`${path}.deviceMultiplier`, deviceMultiplier, 1),
    ...(capacityKey === undefined && capacityMultiplier !== undefined
      ? together('capacityKey', 'capacityMultiplier')
      : []),
  ];
}

function checkOverhead(path: string, { perPod, perContainer }: NodeAllocatableOverhead) {
  if (perPod === undefined && perContainer === undefined)
    return [fieldError.invalid(path, '', 'at least one of perPod or perContainer must be set')];
  return [...checkSign(`${path}.perPod`, perPod, 0), ...checkSign(`${path}.perContainer`, perContainer, 0)];
}

const isAllocatable = (name: string): boolean =>
  ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');

function checkResource(
  path: string,
  { mapping, overhead }: NodeAllocatableResource,
  capacity: Capacities,
): readonly FieldError[] {
  return [
    ...(mapping === undefined && overhead === undefined
      ? [fieldError.required(path, 'at least one of mapping or overhead must be set')]
      : []),
    ...(mapping === undefined ? [] : checkMapping(`${path}.mapping`, mapping, capacity)),
    ...(overhead === undefined ? [] : checkOverhead(`${path}.overhead`, overhead)),
  ];
}

const checkEarlierMapping = (
  path: string,
  { capacityKey, allocationMultiplier = '1' }: NodeAllocatableResourceMapping,
  capacity: Capacities,
): readonly FieldError[] => [
  ...checkSign(`${path}.allocationMultiplier`, allocationMultiplier, 1),
  ...checkKey(`${path}.capacityKey`, capacityKey, capacity),
];

/** Checks the resources of the node that a device takes, in either form. */
export function checkNodeResources(path: string, device: Device): readonly FieldError[] {
  const { capacity = {}, nodeAllocatableResourceMappings = {}, nodeAllocatableResources = {} } = device;
  return [
    ...Object.entries(nodeAllocatableResourceMappings).flatMap(([name, mapping]) =>
      checkEarlierMapping(`${path}.nodeAllocatableResourceMappings[${name}]`, mapping, capacity),
    ),
    ...Object.entries(nodeAllocatableResources).flatMap(([name, resource]) => {
      const at = `${path}.nodeAllocatableResources[${name}]`;
      const wrong = fieldError.invalid(at, name, 'must be a node allocatable resource name');
      return [...(isAllocatable(name) ? [] : [wrong]), ...checkResource(at, resource, capacity)];
    }),
  ];
}

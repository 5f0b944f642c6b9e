import type { Device, NodeAllocatableResourceMapping } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { parseQuantity, quantitySign } from '@orch/machinery/quantity';
import { f, struct } from '@orch/schema';
import { NodeSelector } from '../../../core/shared/selectors.ts';
import { checkUnique } from '../../../validation-rules.ts';
import { Attribute, valuesOf } from './attribute.ts';
import {
  binding,
  bindingConditionsField,
  bindingFailureConditionsField,
  checkBindingConditions,
} from './binding-conditions.ts';
import { Capacity, checkCapacity, consumable } from './capacity.ts';
import { consumesCountersField, partitionable } from './counters.ts';
import { checkQualifiedName } from './names.ts';
import { taintsField } from './taint.ts';

const MAX_ATTRIBUTES = 32;
const MAX_VALUES = 48;

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

/** The fields of a device besides its name, with their Protobuf numbers from `first` on. */
export const deviceFields = (first: number) => ({
  attributes: f.map(first, Attribute, { doc: 'Attributes by name, with the domain of a driver or without.' }),
  capacity: f.map(first + 1, Capacity, {
    doc: 'Capacities by name, with the domain of a driver or without.',
  }),
  consumesCounters: consumesCountersField(first + 2),
  nodeName: f.string(first + 3, {
    doc: 'The only node from which it can be used.',
    presence: 'pointer',
    format: 'dns1123subdomain',
    ...partitionable,
  }),
  nodeSelector: f.struct(first + 4, NodeSelector, {
    doc: 'Nodes from which it can be used.',
    presence: 'pointer',
    ...partitionable,
  }),
  allNodes: f.bool(first + 5, {
    doc: 'Whether it can be used from all nodes; true or absent.',
    presence: 'pointer',
    ...partitionable,
  }),
  taints: taintsField(first + 6),
  bindsToNode: f.bool(first + 7, {
    doc: 'Whether an allocation binds the claim to the node for which it was made.',
    presence: 'pointer',
    ...binding,
  }),
  bindingConditions: bindingConditionsField(first + 8),
  bindingFailureConditions: bindingFailureConditionsField(first + 9),
  allowMultipleAllocations: f.bool(first + 10, {
    doc: 'Whether several requests can share it.',
    presence: 'pointer',
    ...consumable,
  }),
  nodeAllocatableResourceMappings: f.map(first + 11, NodeResourceMapping, {
    doc: 'Resources of the node that it takes, by name.',
    gate: 'DRANodeAllocatableResources',
    since: 'never',
  }),
});

function checkMapping(
  path: string,
  { capacityKey, allocationMultiplier = '1' }: NodeAllocatableResourceMapping,
  capacity: Device['capacity'] = {},
): readonly FieldError[] {
  const at = `${path}.capacityKey`;
  return [
    ...(quantitySign(parseQuantity(allocationMultiplier)) > 0
      ? []
      : [fieldError.invalid(`${path}.allocationMultiplier`, allocationMultiplier, 'must be positive')]),
    ...(capacityKey === undefined || Object.hasOwn(capacity, capacityKey)
      ? []
      : [
          capacityKey === ''
            ? fieldError.invalid(at, capacityKey, 'must not be empty')
            : fieldError.notFound(at, capacityKey),
        ]),
  ];
}

function checkCounts(path: string, { attributes = {}, capacity = {} }: Device): readonly FieldError[] {
  const names = Object.keys(attributes).length + Object.keys(capacity).length;
  const values = Object.values(attributes).reduce((count, attribute) => count + valuesOf(attribute), 0);
  return [
    ...(names > MAX_ATTRIBUTES
      ? [
          fieldError.invalid(
            path,
            names,
            `the total number of attributes and capacities must not exceed ${MAX_ATTRIBUTES}`,
          ),
        ]
      : []),
    ...(values > MAX_VALUES
      ? [
          fieldError.invalid(
            path,
            values,
            `the total number of attribute values must not exceed ${MAX_VALUES}`,
          ),
        ]
      : []),
  ];
}

/** Checks a device in any version: what its fields do not declare themselves. */
export function checkDevice(path: string, device: Device): readonly FieldError[] {
  const { attributes = {}, capacity = {}, consumesCounters = [] } = device;
  const isShared = device.allowMultipleAllocations === true;
  return [
    ...checkCounts(path, device),
    ...Object.keys(attributes).flatMap((name) => checkQualifiedName(`${path}.attributes`, name)),
    ...Object.entries(capacity).flatMap(([name, amount]) => [
      ...checkQualifiedName(`${path}.capacity`, name),
      ...checkCapacity(`${path}.capacity[${name}]`, amount, isShared),
    ]),
    ...checkUnique(`${path}.consumesCounters`, consumesCounters, ({ counterSet = '' }) => counterSet),
    ...checkBindingConditions(path, device),
    ...Object.entries(device.nodeAllocatableResourceMappings ?? {}).flatMap(([name, mapping]) =>
      checkMapping(`${path}.nodeAllocatableResourceMappings[${name}]`, mapping, capacity),
    ),
  ];
}

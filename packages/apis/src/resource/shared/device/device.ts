import type { Device } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { f } from '@orch/schema';
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
import { checkNodeResources, nodeResourceMappingsField, nodeResourcesField } from './node-resources.ts';
import { taintsField } from './taint.ts';

const MAX_ATTRIBUTES = 32;
const MAX_VALUES = 48;

/** The fields of a device besides its name, with their Protobuf numbers from `first` on but for that of `nodeResources`. */
export const deviceFields = (first: number, nodeResources = first + 12) => ({
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
  nodeAllocatableResourceMappings: nodeResourceMappingsField(first + 11),
  nodeAllocatableResources: nodeResourcesField(nodeResources),
});

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
    ...checkNodeResources(path, device),
  ];
}

import type { NodeSpec, NodeStatus } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Derive } from '@orch/schema';

/** The capacity of the machine, when the node agent does not report the allocatable amount. */
export const allocatableFromCapacity = (status: NodeStatus): NodeStatus['capacity'] =>
  status.capacity && { ...status.capacity };

/** `podCIDR` is the first of `podCIDRs`; the older field takes precedence where they differ. */
export const derivePodCidrs: Derive<Draft<NodeSpec>> = (spec) => {
  const [first = ''] = spec.podCIDRs ?? [];
  const single = spec.podCIDR ?? '';
  if (first === single) return false;
  if (single === '') spec.podCIDR = first;
  else spec.podCIDRs = [single];
  return true;
};

import { jsonEquals } from '@orch/machinery';
import type { Refusal } from '../types.ts';
import { forbiddenLabels } from './node-labels.ts';
import { type NodeWrite, quoted } from './node-write.ts';
import { memberOf } from './object-members.ts';

/** Nodes: a node writes the object that has its name, and nothing in it by which the cluster is governed. */
export function refusedNode({ node, write, parts }: NodeWrite): Refusal | undefined {
  const { operation, object, oldObject } = write;
  if (write.name !== node) return `node ${quoted(node)} is not allowed to write node ${quoted(write.name)}`;
  if (operation === 'DELETE' || object === undefined) return undefined;
  const owners = (of: typeof object | undefined): unknown => of?.metadata.ownerReferences ?? [];
  // A node with an owner is deleted with it: the node could have itself deleted without permission to delete nodes.
  if (!jsonEquals(owners(object), owners(oldObject)))
    return `node ${quoted(node)} is not allowed to set its owner references`;
  const labels = forbiddenLabels(object.metadata.labels ?? {}, oldObject?.metadata.labels ?? {}, parts.names);
  if (labels.length > 0) return `node ${quoted(node)} is not allowed to set its labels ${labels.join(', ')}`;
  const settled = (of: typeof object | undefined, member: string): unknown =>
    memberOf(of?.['spec'], member) ?? [];
  if (!jsonEquals(settled(object, 'configSource'), settled(oldObject, 'configSource')))
    return `node ${quoted(node)} is not allowed to set its spec.configSource`;
  // It may come with taints, and change them afterwards no more.
  return oldObject === undefined || jsonEquals(settled(object, 'taints'), settled(oldObject, 'taints'))
    ? undefined
    : `node ${quoted(node)} is not allowed to change its taints`;
}

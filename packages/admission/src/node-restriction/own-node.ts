import type { Node, NodeSpec } from '@orch/kinds/core';
import { jsonEquals } from '@orch/machinery/json';
import type { Refusal } from '../types.ts';
import { forbiddenLabels } from './node-labels.ts';
import { type NodeWrite, quoted } from './node-write.ts';

/** Nodes: a node writes only its own Node, except owner references, taints and restricted labels. */
export function refusedNode({ node, write, parts }: NodeWrite): Refusal | undefined {
  const { operation, object, oldObject } = write;
  if (write.name !== node) return `node ${quoted(node)} is not allowed to write node ${quoted(write.name)}`;
  if (operation === 'DELETE' || object === undefined) return undefined;
  const owners = (of: typeof object | undefined): unknown => of?.metadata.ownerReferences ?? [];
  // A node with an owner is deleted with it: a node could delete itself without permission to delete nodes.
  if (!jsonEquals(owners(object), owners(oldObject)))
    return `node ${quoted(node)} is not allowed to set its owner references`;
  const labels = forbiddenLabels(object.metadata.labels ?? {}, oldObject?.metadata.labels ?? {}, parts.names);
  if (labels.length > 0) return `node ${quoted(node)} is not allowed to set its labels ${labels.join(', ')}`;
  const { configSource, taints } = specOf(object);
  const before = specOf(oldObject);
  if (!jsonEquals(configSource, before.configSource))
    return `node ${quoted(node)} is not allowed to set its spec.configSource`;
  // A node may be created with taints, but cannot change them later.
  return oldObject === undefined || jsonEquals(taints ?? [], before.taints ?? [])
    ? undefined
    : `node ${quoted(node)} is not allowed to change its taints`;
}

const specOf = (node: Node | undefined): NodeSpec => node?.spec ?? {};

import { isNode, nodeNameOf } from '@orch/auth';
import type { ResourceSlice } from '@orch/kinds/resource';
import type { AdmissionPlugin, Refusal, ResourceTarget } from '../types.ts';
import { refusedClaimStatus } from './claim-status.ts';
import { type NodeRestrictionParts, type NodeWrite, quoted } from './node-write.ts';
import { refusedNode } from './own-node.ts';
import { refusedPod } from './own-pods.ts';
import { refusedToken } from './pod-tokens.ts';
import { refusedSigningRequest } from './signing-requests.ts';

type Rule = (nodeWrite: NodeWrite) => Refusal | undefined | Promise<Refusal | undefined>;

/** Rules by the group and name of their resource. */
const rules: Readonly<Record<string, Rule>> = {
  '/pods': refusedPod,
  '/nodes': refusedNode,
  '/persistentvolumeclaims': refusedClaimStatus,
  '/serviceaccounts': refusedToken,
  'coordination/leases': refusedLease,
  'storage/csinodes': refusedCsiNode,
  'resource/resourceslices': refusedSlice,
  'certificates/certificatesigningrequests': refusedSigningRequest,
};

const ruleOf = ({ group, resource }: ResourceTarget): Rule | undefined => rules[`${group}/${resource}`];

/**
 * `NodeRestriction`: limits the writes of a node to its own objects. It completes the authorization mode `Node`, which
 * does not read bodies: a node sets no labels by which pods are kept away from other nodes, no owner references and no
 * other taints on itself; creates only mirror pods; gets tokens only for pods that are bound to it; and requests certificates of
 * nodes only for itself. Other users are not affected.
 */
export function nodeRestriction(parts: NodeRestrictionParts): AdmissionPlugin {
  const { names } = parts;
  return {
    name: 'NodeRestriction',
    handles: (target) => ruleOf(target) !== undefined,
    handlesWrite: ({ user }) => isNode(user, names),
    validate(write) {
      const node = nodeNameOf(write.user, names);
      if (node === undefined) return `the user ${quoted(write.user.name)} does not name a node`;
      return ruleOf(write)?.({ node, write, parts });
    },
  };
}

function refusedLease({ node, write, parts }: NodeWrite): Refusal | undefined {
  const { nodeLease } = parts.names.namespaces;
  if (write.namespace !== nodeLease)
    return `node ${quoted(node)} can only write leases in the namespace ${quoted(nodeLease)}`;
  return write.name === node ? undefined : `node ${quoted(node)} can only write the lease with its own name`;
}

/** A slice of devices that only one node can use belongs to this node. */
function refusedSlice({ node, write }: NodeWrite): Refusal | undefined {
  const { operation, object, oldObject } = write;
  if (operation !== 'CREATE' && operation !== 'DELETE') return undefined;
  const slice: ResourceSlice | undefined = operation === 'CREATE' ? object : oldObject;
  return slice?.spec?.nodeName === node
    ? undefined
    : `node ${quoted(node)} can only ${operation.toLowerCase()} resource slices with its own name in spec.nodeName`;
}

function refusedCsiNode({ node, write }: NodeWrite): Refusal | undefined {
  return write.name === node
    ? undefined
    : `node ${quoted(node)} can only write the CSINode with its own name`;
}

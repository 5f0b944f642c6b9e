import { type ApiObject, jsonEquals } from '@orch/machinery';
import type { Refusal } from '../types.ts';
import { type NodeWrite, quoted } from './node-write.ts';
import { without } from './object-members.ts';

/** What comes of growing a volume, which nodes take part in. */
const growth = new Set([
  'capacity',
  'conditions',
  'allocatedResources',
  'allocatedResourceStatuses',
  'resizeStatus',
]);
/** What the server writes with every change. */
const kept = new Set(['resourceVersion', 'managedFields', 'generation']);

/** Claims: a node tells how far it has grown a volume, and nothing else. */
export function refusedClaimStatus({ node, write }: NodeWrite): Refusal | undefined {
  const { operation, subresource, object, oldObject } = write;
  if (operation !== 'UPDATE' || subresource !== 'status')
    return `node ${quoted(node)} can only update the status of volume claims`;
  return jsonEquals(besidesGrowth(object), besidesGrowth(oldObject))
    ? undefined
    : `node ${quoted(node)} can only change status.capacity and status.conditions of volume claims`;
}

const besidesGrowth = (claim: ApiObject | undefined): unknown => ({
  ...claim,
  metadata: without(claim?.metadata, kept),
  status: without(claim?.['status'], growth),
});

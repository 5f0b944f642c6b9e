import type { PersistentVolumeClaim } from '@orch/kinds/core';
import { jsonEquals } from '@orch/machinery/json';
import type { Refusal } from '../types.ts';
import { type NodeWrite, quoted } from './node-write.ts';

/** Fields of the status that report the expansion of a volume, in which nodes take part. */
const growth = new Set([
  'capacity',
  'conditions',
  'allocatedResources',
  'allocatedResourceStatuses',
  'resizeStatus',
]);
/** Metadata that the server sets on every write. */
const serverFields = new Set(['resourceVersion', 'managedFields', 'generation']);

/** Claims: a node reports the expansion of a volume, and changes nothing else. */
export function refusedClaimStatus({ node, write }: NodeWrite): Refusal | undefined {
  const { operation, subresource, object, oldObject } = write;
  if (operation !== 'UPDATE' || subresource !== 'status')
    return `node ${quoted(node)} can only update the status of volume claims`;
  return jsonEquals(besidesGrowth(object), besidesGrowth(oldObject))
    ? undefined
    : `node ${quoted(node)} can only change status.capacity and status.conditions of volume claims`;
}

const besidesGrowth = (claim: PersistentVolumeClaim | undefined): unknown => ({
  ...claim,
  metadata: without(claim?.metadata, serverFields),
  status: without(claim?.status, growth),
});

/** A copy without some fields; empty for undefined. */
const without = (value: object | undefined, fields: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(value ?? {}).filter(([field]) => !fields.has(field)));

import { formatApiVersion } from '@orch/machinery';
import type { Client } from '../client.ts';
import type { DeleteOptions } from '../rest/types.ts';
import { coreV1Pod, policyV1PodDisruptionBudget } from '../types/resources.ts';

/**
 * Evicts a pod: deletes it unless a disruption budget does not allow it now. Rejects with a 429 in that case (`isTooManyRequests`), which
 * the client does not retry for a budget without a time.
 */
export async function evict(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  options: Omit<DeleteOptions, 'dryRun'> & { readonly dryRun?: boolean } = {},
  signal?: AbortSignal,
): Promise<void> {
  const { dryRun, ...deleteOptions } = options;
  const eviction = {
    apiVersion: formatApiVersion(policyV1PodDisruptionBudget(client.names)),
    kind: 'Eviction',
    metadata: { namespace, name },
    ...(Object.keys(deleteOptions).length > 0 && { deleteOptions }),
  };
  const evictions = client.resource(coreV1Pod(client.names), namespace).subresource('eviction');
  await evictions.create(name, eviction, dryRun === undefined ? {} : { dryRun }, signal);
}

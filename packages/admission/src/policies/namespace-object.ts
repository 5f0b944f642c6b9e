import type { ObjectSource } from '@orch/auth';
import { type ApiObject, errors } from '@orch/machinery';
import type { AdmissionAttributes } from '../types.ts';

/** The variable `namespaceObject`: null for objects of the cluster and for namespaces. Rejects with 404 when there is none. */
export async function namespaceObject(
  source: Pick<ObjectSource, 'get' | 'fresh'>,
  { group, resource, namespace, signal }: AdmissionAttributes,
): Promise<ApiObject | null> {
  if (namespace === '' || (group === '' && resource === 'namespaces')) return null;
  const cached = source.get('namespaces', '', namespace);
  if (cached !== undefined) return cached;
  await source.fresh(signal);
  const found = source.get('namespaces', '', namespace);
  if (found === undefined) throw errors.notFound({ group: '', kind: 'namespaces', name: namespace });
  return found;
}

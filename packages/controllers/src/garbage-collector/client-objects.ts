import type { Client, DeleteOptions, Resource } from '@orch/client';
import { ApiError, type ObjectMeta } from '@orch/machinery';
import { preconditionsOf } from '../api/writes.ts';
import type { LiveObjects, MetaChange, Rejection, Target } from './live-objects.ts';

/** The current objects through a client, which requests their metadata only. */
export function clientObjects(client: Client): LiveObjects {
  const at = (resource: Resource, { namespace }: ObjectMeta) =>
    client.metadata(resource, resource.namespaced ? namespace : undefined);
  return {
    resourceOf: (apiVersion, kind, signal) => client.discovery.forKind(apiVersion, kind, signal),
    async get(resource, meta, signal) {
      const { name = '' } = meta;
      try {
        return (await at(resource, meta).get(name, {}, signal)).metadata;
      } catch (error) {
        if (isGone(error, name)) return undefined;
        throw error;
      }
    },
    delete: ({ resource, meta }, propagationPolicy, signal) =>
      orRejection(meta, async () => {
        const options: DeleteOptions = { propagationPolicy, preconditions: preconditionsOf(meta) };
        await at(resource, meta).delete(meta.name ?? '', options, signal);
        return 'deleted' as const;
      }),
    change: ({ resource, meta }: Target, change, signal) =>
      orRejection(meta, async () => {
        const patch = { metadata: { ...preconditionsOf(meta), ...fieldsOf(change) } };
        const patched = await at(resource, meta).patch.merge(meta.name ?? '', patch, {}, signal);
        return patched.metadata;
      }),
  };
}

/** The fields of the merge patch; an empty list is removed. */
function fieldsOf({ ownerReferences, finalizers }: MetaChange): object {
  const listOf = <T>(items: readonly T[]): readonly T[] | null => (items.length === 0 ? null : items);
  return {
    ...(ownerReferences === undefined ? {} : { ownerReferences: listOf(ownerReferences) }),
    ...(finalizers === undefined ? {} : { finalizers: listOf(finalizers) }),
  };
}

/**
 * Reports whether the server reports that this object does not exist. A 404 for the resource does not imply that the object is
 * absent.
 */
const isGone = (error: unknown, name: string): boolean =>
  error instanceof ApiError && error.status.code === 404 && error.status.details?.name === name;

async function orRejection<T>({ name = '' }: ObjectMeta, write: () => Promise<T>): Promise<T | Rejection> {
  try {
    return await write();
  } catch (error) {
    if (isGone(error, name)) return 'gone';
    if (error instanceof ApiError && error.status.code === 409) return 'changed';
    throw error;
  }
}

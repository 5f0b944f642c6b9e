import type { Client, DeleteOptions, Resource } from '@orch/client';
import { ApiError, type ObjectMeta } from '@orch/machinery';
import type { LiveObjects, MetaChange, Refusal, Target } from './live-objects.ts';

/** Live objects through a client; nothing but metadata is asked for. */
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
      orRefusal(meta, async () => {
        const options: DeleteOptions = { propagationPolicy, preconditions: preconditionsOf(meta) };
        await at(resource, meta).delete(meta.name ?? '', options, signal);
        return 'deleted' as const;
      }),
    change: ({ resource, meta }: Target, change, signal) =>
      orRefusal(meta, async () => {
        const patch = { metadata: { ...preconditionsOf(meta), ...membersOf(change) } };
        const patched = await at(resource, meta).patch.merge(meta.name ?? '', patch, {}, signal);
        return patched.metadata;
      }),
  };
}

const preconditionsOf = ({ uid = '', resourceVersion = '' }: ObjectMeta) => ({ uid, resourceVersion });

/** An empty list is no list. */
function membersOf({ ownerReferences, finalizers }: MetaChange): object {
  const listOf = <T>(items: readonly T[]): readonly T[] | null => (items.length === 0 ? null : items);
  return {
    ...(ownerReferences === undefined ? {} : { ownerReferences: listOf(ownerReferences) }),
    ...(finalizers === undefined ? {} : { finalizers: listOf(finalizers) }),
  };
}

/** Whether the server says that there is no such object; that it does not serve such objects (any more) says nothing. */
const isGone = (error: unknown, name: string): boolean =>
  error instanceof ApiError && error.status.code === 404 && error.status.details?.name === name;

async function orRefusal<T>({ name = '' }: ObjectMeta, write: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await write();
  } catch (error) {
    if (isGone(error, name)) return 'gone';
    if (error instanceof ApiError && error.status.code === 409) return 'changed';
    throw error;
  }
}

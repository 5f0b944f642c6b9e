import type { ResourceClient, Stored } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { saysTheSame } from './conditions.ts';
import { ignoreReasons } from './writes.ts';

type WithStatus = ApiObject & { readonly status?: object };

/**
 * Writes the status of an object if it says something else, unless the object is gone, and annotations with it. Resolves with the written
 * object, if any. Rejects with a conflict when the object has changed since it was read.
 */
export async function writeStatus<T extends WithStatus>(
  api: ResourceClient<T>,
  {
    read,
    status,
    annotations = {},
  }: {
    readonly read: Stored<T>;
    readonly status: NonNullable<T['status']>;
    readonly annotations?: Readonly<Record<string, string>>;
  },
  signal: AbortSignal,
): Promise<Stored<T> | undefined> {
  const { metadata } = read;
  const isAnnotated = Object.entries(annotations).every(
    ([key, value]) => metadata.annotations?.[key] === value,
  );
  if (isAnnotated && saysTheSame(read.status, status)) return undefined;
  const next = isAnnotated
    ? { ...read, status }
    : {
        ...read,
        metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
        status,
      };
  const subresource = api.in(metadata.namespace ?? '').subresource<T>('status');
  return await ignoreReasons(['NotFound'], () => subresource.update(next, {}, signal));
}

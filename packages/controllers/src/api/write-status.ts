import type { ResourceClient, Stored } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { saysTheSame } from './conditions.ts';
import { ignoreReasons } from './writes.ts';

type WithStatus = ApiObject & { readonly status?: object };

/**
 * Writes the status of an object if it says something else, unless the object is gone. Rejects with a conflict when the object has
 * changed since it was read.
 */
export async function writeStatus<T extends WithStatus>(
  api: ResourceClient<T>,
  { read, status }: { readonly read: Stored<T>; readonly status: NonNullable<T['status']> },
  signal: AbortSignal,
): Promise<void> {
  if (saysTheSame(read.status, status)) return;
  const subresource = api.in(read.metadata.namespace ?? '').subresource<T>('status');
  await ignoreReasons(['NotFound'], () => subresource.update({ ...read, status }, {}, signal));
}

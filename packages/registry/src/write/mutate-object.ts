import type { ApiObject } from '@orch/machinery';
import type { StoredResource } from '../resource/served-resource.ts';
import type { Admit } from './admission.ts';

/**
 * Lets admission plugins change an object in the hub version, and puts its fields and the keys of its maps in order again:
 * equal objects must be stored as equal bytes. Returns the object to write. Rejects with the refusal of a plugin.
 */
export async function mutateObject(
  { hubCodec }: Pick<StoredResource, 'hubCodec'>,
  { object, oldObject }: { readonly object: ApiObject; readonly oldObject: ApiObject | undefined },
  mutate: Admit,
): Promise<ApiObject> {
  await mutate({ object, oldObject });
  // Plugins do not change managed fields, which are a large part of many objects.
  const { managedFields, ...metadata } = object.metadata;
  const { value } = hubCodec().decode({ ...object, metadata });
  if (managedFields !== undefined) value.metadata.managedFields = managedFields;
  return value;
}

import type { ApiObject } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import { cloneJson, isJsonObject, jsonEquals } from '@orch/machinery/json';
import type { StoredResource } from '../resource/served-resource.ts';
import type { Admit, SubresourceView } from './admission.ts';

interface Mutating {
  readonly object: ApiObject;
  readonly oldObject: ApiObject | undefined;
  /** The turns in which a large object is decoded; undefined for a small one. */
  readonly turns: Turns | undefined;
}

/**
 * Lets admission plugins change an object in the hub version, and restores the order of its fields and map keys: equal
 * objects must be stored as equal bytes. Returns the object to write. Rejects with the refusal of a plugin.
 */
export async function mutateObject(
  { hubCodec }: Pick<StoredResource, 'hubCodec'>,
  { object, oldObject, turns }: Mutating,
  mutate: Admit,
): Promise<ApiObject> {
  const before = [object, object.metadata, object['spec']].map(fieldsOf);
  await mutate({ object, oldObject });
  const after = [object, object.metadata, object['spec']];
  if (after.every((part, i) => hasFields(part, before[i] ?? noFields))) return object;
  // Plugins do not change managed fields, which are a large part of many objects.
  const { managedFields, ...metadata } = object.metadata;
  const changed = { ...object, metadata };
  const codec = hubCodec();
  const { value } =
    turns === undefined ? codec.decode(changed) : await turns.run(codec.decodeInPieces(changed));
  if (managedFields !== undefined) value.metadata.managedFields = managedFields;
  return value;
}

/** As `mutateObject`, when plugins receive the view of a subresource. */
export async function mutateView(
  view: SubresourceView,
  { object, oldObject }: { readonly object: ApiObject; readonly oldObject: ApiObject },
  mutate: Admit,
): Promise<ApiObject> {
  const before = await view.of(object);
  const after = cloneJson(before);
  await mutate({ object: after, oldObject: await view.of(oldObject) });
  return jsonEquals(before, after) ? object : view.write(object, after);
}

type Fields = ReadonlyMap<string, unknown>;

const noFields: Fields = new Map();

const fieldsOf = (part: unknown): Fields => (isJsonObject(part) ? new Map(Object.entries(part)) : noFields);

/** Reports whether an object has the same fields with the same values: plugins assign the fields that they change. */
function hasFields(part: unknown, fields: Fields): boolean {
  const entries = isJsonObject(part) ? Object.entries(part) : [];
  return entries.length === fields.size && entries.every(([name, value]) => fields.get(name) === value);
}

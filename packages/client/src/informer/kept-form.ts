import { type ApiObject, formatApiVersion, type ObjectMeta } from '@orch/machinery';
import { objectKey } from '../objects/object-key.ts';
import type { Resource } from '../rest/types.ts';
import { Sharing } from './sharing.ts';
import type { ObjectKey } from './types.ts';

/** Metadata without managed fields. Built member by member: a deleted member would make the object a slow, large one. */
function withoutManagedFields(metadata: ObjectMeta): ObjectMeta {
  if (metadata.managedFields === undefined) return metadata;
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(metadata)) {
    if (name !== 'managedFields') kept[name] = metadata[name as keyof ObjectMeta];
  }
  return kept as ObjectMeta;
}

export interface FormOptions<T extends ApiObject> {
  readonly transform?: ((object: T) => T) | undefined;
  readonly metadataOnly?: boolean | undefined;
  readonly onTransformError: (key: ObjectKey, error: unknown) => void;
}

/**
 * Makes of every object that arrives what an informer keeps of it: it has `kind` and `apiVersion` (lists leave them out
 * of their items), lacks managed fields unless somebody chose what to keep, and shares what it has in common with others.
 */
export function keptForm<T extends ApiObject>(resource: Resource, options: FormOptions<T>): (object: T) => T {
  const { transform, metadataOnly = false, onTransformError } = options;
  const sharing = new Sharing();
  const apiVersion = formatApiVersion({ group: resource.group, version: resource.version });
  const named = (object: T): T => {
    const { kind, metadata } = object;
    if (metadataOnly) return { kind: resource.kind, apiVersion, metadata } as T;
    return kind !== undefined && object.apiVersion !== undefined
      ? object
      : { kind: resource.kind, apiVersion, ...object };
  };
  const chosen = (object: T): T => {
    if (transform === undefined) {
      return Object.assign(object, { metadata: withoutManagedFields(object.metadata) });
    }
    try {
      return transform(object);
    } catch (error) {
      onTransformError(objectKey(object), error);
      return object;
    }
  };
  return (object) => {
    const kept = chosen(named(object));
    sharing.shareMembers(kept.metadata);
    sharing.shareMembers(kept, 'metadata');
    return kept;
  };
}

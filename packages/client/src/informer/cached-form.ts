import type { ApiObject, ObjectMeta } from '@orch/machinery';
import { type ObjectKey, objectKey } from '../objects/object-key.ts';
import type { Stored } from '../rest/types.ts';
import { Sharing } from './sharing.ts';

/** Metadata without managed fields. Copied field by field: deleting a field would make the object slow and large. */
function withoutManagedFields(metadata: ObjectMeta): ObjectMeta {
  if (metadata.managedFields === undefined) return metadata;
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(metadata)) {
    if (name !== 'managedFields') kept[name] = metadata[name as keyof ObjectMeta];
  }
  return kept as ObjectMeta;
}

export interface CachedFormOptions<T extends ApiObject> {
  readonly transform?: ((object: Stored<T>) => Stored<T>) | undefined;
  readonly metadataOnly?: boolean | undefined;
  readonly onTransformError: (key: ObjectKey, error: unknown) => void;
}

/**
 * Converts objects on arrival to their cached form: without managed fields unless there is a transform, and sharing equal
 * parts with other objects.
 */
export function cachedForm<T extends ApiObject>(
  options: CachedFormOptions<T>,
): (object: Stored<T>) => Stored<T> {
  const { transform, metadataOnly = false, onTransformError } = options;
  const sharing = new Sharing();
  const selected = (object: Stored<T>): Stored<T> => {
    const { kind, apiVersion, metadata } = object;
    return metadataOnly ? ({ kind, apiVersion, metadata } as Stored<T>) : object;
  };
  const chosen = (object: Stored<T>): Stored<T> => {
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
    const kept = chosen(selected(object));
    sharing.shareFields(kept.metadata);
    sharing.shareFields(kept, 'metadata');
    return kept;
  };
}

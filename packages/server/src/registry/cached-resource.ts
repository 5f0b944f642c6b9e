import type { ResourceType } from '@orch/apis';
import type { CachedResource, Ingested } from '@orch/cache';
import { type ApiObject, type Names, parseJson } from '@orch/machinery';
import { peekMeta, withResourceVersion } from '@orch/schema';
import type { Revision } from '@orch/storage';
import { cacheNameOf, DEFAULT_STORE_PREFIX, keyPrefixOf } from './store-keys.ts';

/** Selectable on every resource; they come first in `CachedResource.selectableFields`. */
export const commonFields = ['metadata.name', 'metadata.namespace'] as const;

/**
 * How the cache reads a stored resource: the served JSON, and what objects are selected by. Objects of resources
 * without fields of their own are not parsed.
 */
export function cachedResourceOf(
  type: ResourceType,
  _names: Names,
  storePrefix: string = DEFAULT_STORE_PREFIX,
): CachedResource {
  const own = Object.entries(type.fields);
  const readers = own.map(([, read]) => read);
  return {
    name: cacheNameOf(type),
    prefix: keyPrefixOf(type, storePrefix),
    selectableFields: [...commonFields, ...own.map(([field]) => field)],
    indexedFields: type.indexedFields ?? [],
    ingest(value: Buffer, rev: Revision): Ingested {
      const { name, namespace, labels } = peekMeta(value);
      const fields = [name, namespace];
      if (readers.length > 0) {
        const object = parseJson(value) as ApiObject;
        for (const read of readers) fields.push(read(object));
      }
      return { json: withResourceVersion(value, rev), labels, fields };
    },
  };
}

import { errors } from '@orch/machinery';
import type { ResourceLookup } from '../../resource/paths.ts';
import type { StoredResource } from '../../resource/served-resource.ts';

/**
 * Throws a 503 when the resource has another storage version than when the request began: the definition of a custom
 * resource was changed meanwhile, and the object would be stored in a version that can be removed from it.
 */
export function checkStorageVersion({ table }: ResourceLookup, resource: StoredResource): void {
  const { group, version, type, storageCodec } = resource;
  const served = table.find(group, version, type.resource);
  if (served === undefined || served.storageCodec.apiVersion === storageCodec.apiVersion) return;
  throw errors.serviceUnavailable(
    `the storage version of ${type.resource}.${group} has changed while the request was processed; please try again`,
  );
}

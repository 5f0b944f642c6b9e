import { errors } from '@orch/machinery';
import type { ResourceLookup } from '../../resource/paths.ts';
import type { StoredResource } from '../../resource/served-resource.ts';

/**
 * Throws when the definition of a custom resource was changed since the request began, and the object would be stored in a
 * version that can be removed from it: a 503 when the storage version is another one, a 404 when the version of the request
 * is gone.
 */
export function checkStorageVersion({ table }: ResourceLookup, resource: StoredResource): void {
  const { group, version, type, storageCodec } = resource;
  const served = table.find(group, version, type.resource);
  if (served === undefined && type.writeGuard !== undefined) throw errors.resourceNotFound();
  if (served === undefined || served.storageCodec.apiVersion === storageCodec.apiVersion) return;
  throw errors.serviceUnavailable(
    `the storage version of ${type.resource}.${group} has changed while the request was processed; please try again`,
  );
}

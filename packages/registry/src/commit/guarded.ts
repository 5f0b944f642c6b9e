import type { WriteGuard } from '@orch/apis';
import { errors } from '@orch/machinery';
import type { Committed, Write } from '@orch/storage';
import type { ObjectCommitter, ObjectWrite } from '../resource/object-committer.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { StoredResource } from '../resource/served-resource.ts';

/** Maximum attempts of a write whose guard fails because the definition of its resource changes meanwhile. */
const MAX_ATTEMPTS = 5;

/**
 * Writes objects in the storage version of their resource, and only while the definition of the resource is the known
 * one. A failed guard means that this replica does not have the latest state of the definition: once it has, the write
 * is retried or refused.
 */
export function guarded(next: ObjectCommitter, table: ResourceTable): ObjectCommitter {
  return {
    async commit(object, write) {
      // A removal needs no definition.
      if (write.op === 'delete') return next.commit(object, write);
      const { writeGuard } = object.resource.type;
      if (writeGuard !== undefined) return commitGuarded({ next, table }, object, { write, writeGuard });
      checkStorageVersion(table, object.resource);
      return next.commit(object, write);
    },
  };
}

interface GuardedWrite {
  readonly write: Write & { readonly op: 'create' | 'update' };
  readonly writeGuard: WriteGuard;
}

async function commitGuarded(
  { next, table }: { readonly next: ObjectCommitter; readonly table: ResourceTable },
  object: ObjectWrite,
  { write, writeGuard }: GuardedWrite,
): Promise<Committed> {
  for (let attempt = 1; ; attempt++) {
    checkStorageVersion(table, object.resource);
    const committed = await next.commit(object, { ...write, guards: [writeGuard.current(write.op)] });
    if (committed.ok || committed.guardFailed !== true) return committed;
    await writeGuard.renew(object.signal);
    if (attempt === MAX_ATTEMPTS) {
      writeGuard.current(write.op);
      throw errors.serviceUnavailable('the definition of the resource changes too often; please try again');
    }
  }
}

/**
 * Throws when the definition of a custom resource has changed since the request began, and the object would be stored
 * in a version that can be removed from it: a 503 when the storage version has changed, a 404 when the version of the
 * request no longer exists.
 */
function checkStorageVersion(table: ResourceTable, resource: StoredResource): void {
  const { group, version, type, storageCodec } = resource;
  const served = table.find(group, version, type.resource);
  if (served === undefined && type.writeGuard !== undefined) throw errors.resourceNotFound();
  if (served === undefined || served.storageCodec.apiVersion === storageCodec.apiVersion) return;
  throw errors.serviceUnavailable(
    `the storage version of ${type.resource}.${group} has changed while the request was processed; please try again`,
  );
}

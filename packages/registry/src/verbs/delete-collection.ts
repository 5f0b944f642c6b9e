import type { CachedObject } from '@orch/cache';
import { failedAfterWriting, type Reply, type ResourceContext } from '@orch/request';
import { StoreError } from '@orch/storage';
import type { ReadPath, RequestPath, WritePath } from '../context/paths.ts';
import { readDelete } from '../request/read-write-request.ts';
import { headersOf } from '../request/reply.ts';
import { unsafeCollectionProblems } from '../request/unsafe-deletion.ts';
import { refuseOptions } from '../request/write-options.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { namespacedNameOf } from '../write/admission.ts';
import { deleteObject, warnOfOrphans } from '../write/delete-object.ts';
import { readForDelete } from './list.ts';

/**
 * `deletecollection` (spec 4.10): deletes the objects of a list with the same selectors, limit and version, each by a
 * separate delete, and replies with that list. Objects that other clients delete meanwhile are not failures.
 */
export async function removeCollection(
  path: RequestPath & ReadPath & WritePath,
  resource: StoredResource,
  call: ResourceContext,
): Promise<Reply> {
  const { info, request, user } = call;
  const { options, format } = await readDelete(path, call, resource.shapes.list);
  refuseOptions(unsafeCollectionProblems(options), 'DeleteOptions', path.names);
  warnOfOrphans(resource, options, call.trace);
  const { page, metadata } = await readForDelete(path, resource, info, request);
  const { signal } = request;
  await removeAll(path, page.objects, ({ key }) =>
    deleteObject(path, resource, {
      key,
      name: namespacedNameOf(key).name,
      options,
      user,
      signal,
      trace: call.trace,
    }),
  );
  const body = resource.encodings.list(page.objects, metadata, format);
  return { kind: 'chunks', status: 200, headers: headersOf(format), ...body };
}

/** Dry runs need nothing that they would wait for. */
const DELETIONS_OF_A_TURN = 16;

/** After the first failure, which is reported, no further deletion starts; completed ones are not undone. */
async function removeAll(
  { limits, turns }: Pick<WritePath, 'limits' | 'turns'>,
  objects: readonly CachedObject[],
  removeOne: (object: CachedObject) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  let removed = 0;
  const remaining = objects.values();
  const worker = async (): Promise<void> => {
    for (const object of remaining) {
      if (failures.length > 0) return;
      try {
        await removeOne(object);
        removed += 1;
        if (removed % DELETIONS_OF_A_TURN === 0) await turns.next();
      } catch (cause) {
        failures.push(cause);
      }
    }
  };
  const workers = Math.min(limits.deleteCollectionWorkers, objects.length);
  await Promise.all(Array.from({ length: workers }, worker));
  if (failures.length === 0) return;
  throw removed > 0 || failures.some(isUnknown) ? failedAfterWriting(failures[0]) : failures[0];
}

const isUnknown = (failure: unknown): boolean =>
  failure instanceof StoreError && failure.code === 'outcomeUnknown';

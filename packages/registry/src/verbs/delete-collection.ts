import type { CachedObject } from '@orch/cache';
import { failedAfterWriting, type Reply, type ResourceContext } from '@orch/request';
import { StoreError } from '@orch/storage';
import { readDeleteOptions } from '../request/delete-options.ts';
import { formOf, headersOf, queryOf } from '../request/reply.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { deleteOptionsContext, removeObject } from './delete.ts';
import { readForDelete } from './list.ts';

/** Deletes under way at once for one request. */
const CONCURRENCY = 8;

/**
 * `deletecollection` (spec 4.10): deletes what a list with the same selectors, limit and version shows, each object as a
 * delete of its own, and answers with that list. Objects that go meanwhile by another hand are no failure.
 */
export async function removeCollection(
  context: RegistryContext,
  resource: StoredResource,
  { info, request, user }: ResourceContext,
): Promise<Reply> {
  const query = queryOf(request);
  const form = formOf(request, query, context.negotiator, 'list');
  const options = await readDeleteOptions(request, query, deleteOptionsContext(context));
  const { page, metadata } = await readForDelete(context, resource, info, request);
  await removeAll(page.objects, (object) =>
    removeObject(context, resource, {
      key: object.key,
      name: object.key.slice(object.key.indexOf('/') + 1),
      options,
      user,
      signal: request.signal,
    }),
  );
  const body = resource.encodings.list(page.objects, metadata, form);
  return { kind: 'chunks', status: 200, headers: headersOf(form), ...body };
}

/** The first failure stops the rest from being started, and is the answer; what was deleted before stays deleted. */
async function removeAll(
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
      } catch (cause) {
        failures.push(cause);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, objects.length) }, worker));
  if (failures.length === 0) return;
  throw removed > 0 || failures.some(isUnknown) ? failedAfterWriting(failures[0]) : failures[0];
}

const isUnknown = (failure: unknown): boolean =>
  failure instanceof StoreError && failure.code === 'outcomeUnknown';

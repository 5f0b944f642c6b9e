import type { ListPage } from '@orch/cache';
import { everythingFilter, type InternalResource } from '@orch/registry';

/** Objects whose deletion is requested at a time. */
const CONCURRENCY = 16;
/** Objects listed at a time. */
const PAGE_SIZE = 500;

/**
 * Deletes every object of a resource as a client would. Returns the number of remaining objects, which finalizers hold.
 */
export async function deleteInstances(resource: InternalResource, signal: AbortSignal): Promise<number> {
  const { cache } = resource;
  await cache.waitFresh({ kind: 'mostRecent' }, signal);
  const query = { scope: { prefix: '' }, filter: everythingFilter, limit: PAGE_SIZE };
  let page: ListPage = await cache.list(query, signal);
  for (;;) {
    await deletePage(resource, page, signal);
    const { next, rev } = page;
    if (next === undefined) break;
    page = await cache.list({ ...query, after: next, at: rev }, signal);
  }
  await cache.waitFresh({ kind: 'mostRecent' }, signal);
  return cache.count();
}

async function deletePage(resource: InternalResource, page: ListPage, signal: AbortSignal): Promise<void> {
  const keys = page.objects.map(({ key }) => key);
  const work = async (): Promise<void> => {
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
      signal.throwIfAborted();
      const slash = key.indexOf('/');
      await resource.delete(
        { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) },
        signal,
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

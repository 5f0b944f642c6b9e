import type { Moment } from '@orch/controllers';
import type { MemoryStore } from './memory-store.ts';
import type { PlaneParts } from './reserve.ts';

/** Maximum time until informers have seen a reset. */
const FOLLOW_MS = 5_000;
/** Turns of the event loop between bookmarks: a watch that was not up to date misses one. */
const BOOKMARK_TURNS = 50;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The resource and the name of a key such as `/registry/leases.coordination/default/name`; the resource without its group. */
function placeOf(key: string): { readonly resource: string; readonly name: string } {
  const [, , resource = '', ...names] = key.split('/');
  return { resource: withoutGroup(resource), name: names.join('/') };
}

const withoutGroup = (name: string): string => name.split('.', 1)[0] ?? '';

/** The resources whose objects differ. No watch tells anything more of those whose definition is deleted. */
function changedResources(writes: ReturnType<MemoryStore['reset']>): ReadonlySet<string> {
  const places = writes.map(({ op, key }) => ({ op, ...placeOf(key) }));
  const changed = new Set(places.map(({ resource }) => resource));
  for (const { op, resource, name } of places)
    if (op === 'delete' && resource === 'customresourcedefinitions') changed.delete(withoutGroup(name));
  return changed;
}

/**
 * Makes the objects as they were while no controller works. Resolves with true when the informers of the controllers have seen the
 * difference, and with false when they do not see it in time.
 */
export async function resetObjects(parts: PlaneParts): Promise<boolean> {
  const changed = changedResources(parts.server.store.reset());
  return changed.size === 0 || (await followed(parts, ({ resource }) => changed.has(resource)));
}

/** Resolves with true when the informers of the controllers have the current state of the store, and with false when that takes long. */
async function followed(
  { server, env, controllers }: PlaneParts,
  mayDiffer: Moment['mayDiffer'],
): Promise<boolean> {
  if (controllers === undefined) return true;
  const { cache } = server.running;
  const moment = { version: server.store.revision, mayDiffer };
  const endsAt = env.clock.monotonic() + FOLLOW_MS;
  let turns = 0;
  while (!controllers.haveReached(moment)) {
    if (env.clock.monotonic() > endsAt) return false;
    // Informers with a selector see no event of other objects, but a bookmark.
    if (cache.revision() >= moment.version && turns++ % BOOKMARK_TURNS === 0) cache.bookmark();
    await nextTurn();
  }
  return true;
}

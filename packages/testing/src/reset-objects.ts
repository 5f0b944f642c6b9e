import type { Moment } from '@orch/controllers';
import type { PlaneParts } from './reserve.ts';

/** Maximum time until informers have seen a reset. */
const FOLLOW_MS = 5_000;
/** Turns of the event loop between bookmarks: a watch that was not up to date misses one. */
const BOOKMARK_TURNS = 50;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The resource of a key such as `/registry/leases.coordination/default/name`, without its group. */
const resourceOfKey = (key: string): string => key.split('/', 3)[2]?.split('.', 1)[0] ?? '';

/**
 * Makes the objects as they were while no controller works. Resolves with true when the informers of the controllers have seen the
 * difference, and with false when they do not see it in time.
 */
export async function resetObjects({ server, env, controllers }: PlaneParts): Promise<boolean> {
  const { store } = server;
  const changed = new Set(store.reset().map(resourceOfKey));
  if (changed.size === 0 || controllers === undefined) return true;
  const moment: Moment = {
    version: store.revision,
    mayDiffer: ({ resource }) => changed.has(resource),
  };
  const { cache } = server.running;
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

import type { PlaneParts } from './reserve.ts';

/** The time after which controllers that do not come to rest are not awaited any more. */
const REST_MS = 5_000;
/** Consecutive looks at which nothing may happen: what a request begins after its answer takes some turns of the event loop. */
const CALM_LOOKS = 4;

export interface Looks {
  /** Waits between two looks. */
  readonly pause: () => Promise<void>;
  /** Whether the rest is of no use any more. */
  readonly isOver?: () => boolean;
}

const all = (): boolean => true;

/**
 * Resolves with true when the controllers have done all work: each of them has read the initial objects, their informers have all changes,
 * no queue has a key, and no request is handled. Resolves with false when they do not come to rest in time, or when `isOver`.
 */
export async function comesToRest(
  { server: { store, running }, env, controllers }: PlaneParts,
  { pause, isOver = () => false }: Looks,
): Promise<boolean> {
  if (controllers === undefined) return true;
  const endsAt = env.clock.monotonic() + REST_MS;
  let version = -1;
  let calm = 0;
  for (;;) {
    if (isOver() || env.clock.monotonic() > endsAt) return false;
    const isCalm = version === store.revision && running.inflight() === 0 && !env.work.remains;
    version = store.revision;
    calm =
      isCalm && controllers.haveStarted() && controllers.haveReached({ version, mayDiffer: all })
        ? calm + 1
        : 0;
    if (calm === CALM_LOOKS) return true;
    // Informers whose objects have not changed learn the version from it.
    if (isCalm && calm === 0 && running.cache.revision() >= version) running.cache.bookmark();
    await pause();
  }
}

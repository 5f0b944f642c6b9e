import type { PlaneParts } from './reserve.ts';

/** The longest wait for controllers to come to rest. */
const REST_MS = 5_000;
/** The number of consecutive idle checks that count as rest: a request may start work a few turns after its answer. */
const CALM_LOOKS = 4;

export interface Looks {
  /** Waits between two looks. */
  readonly pause: () => Promise<void>;
  /** Reports whether the caller no longer needs the result. */
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

import type { CreationGuard } from '@orch/apis';
import { errors } from '@orch/machinery';
import type { Committed, Store, Write } from '@orch/storage';

/** Attempts of a creation whose guard fails because what declares the resource changes meanwhile. */
const MAX_ATTEMPTS = 5;

export interface Creation {
  readonly guard: CreationGuard | undefined;
  readonly write: Write;
  /** Called before each attempt; throws when the object must not be stored as it is. */
  readonly check: () => void;
}

/**
 * Commits the creation of an object, under the guard of its resource when it has one. A failed guard means that this
 * replica does not have the latest state of the resource's definition: once it has, the creation is attempted again or
 * refused.
 */
export async function commitCreation(
  store: Store,
  { check, guard, write }: Creation,
  signal: AbortSignal,
): Promise<Committed> {
  if (guard === undefined) {
    check();
    return store.commit(write, signal);
  }
  for (let attempt = 1; ; attempt++) {
    check();
    const committed = await store.commit({ ...write, guards: [guard.current()] }, signal);
    if (committed.ok || committed.guardFailed !== true) return committed;
    await guard.renew(signal);
    if (attempt === MAX_ATTEMPTS) {
      guard.current();
      throw errors.serviceUnavailable('the definition of the resource changes too often; please try again');
    }
  }
}

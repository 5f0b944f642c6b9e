import type { WriteGuard } from '@orch/apis';
import { errors } from '@orch/machinery';
import type { Committed, Store, Write } from '@orch/storage';

/** Attempts of a write whose guard fails because what declares the resource changes meanwhile. */
const MAX_ATTEMPTS = 5;

export interface GuardedWrite {
  readonly guard: WriteGuard | undefined;
  readonly write: Write & { readonly op: 'create' | 'update' };
  /** Called before each attempt; throws when the object must not be stored as it is. */
  readonly check: () => void;
}

/**
 * Commits a write of an object, under the guard of its resource when it has one. A failed guard means that this replica does
 * not have the latest state of the resource's definition: once it has, the write is attempted again or refused.
 */
export async function commitGuarded(
  store: Store,
  { check, guard, write }: GuardedWrite,
  signal: AbortSignal,
): Promise<Committed> {
  if (guard === undefined) {
    check();
    return store.commit(write, signal);
  }
  for (let attempt = 1; ; attempt++) {
    check();
    const committed = await store.commit({ ...write, guards: [guard.current(write.op)] }, signal);
    if (committed.ok || committed.guardFailed !== true) return committed;
    await guard.renew(signal);
    if (attempt === MAX_ATTEMPTS) {
      guard.current(write.op);
      throw errors.serviceUnavailable('the definition of the resource changes too often; please try again');
    }
  }
}

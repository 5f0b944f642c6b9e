import { type Committed, ForwardingStore, type Guard, type Store, type Write } from '@orch/storage';

/** What the commits of one request are guarded by. */
export interface FenceGuard {
  /** The guard as it is known. */
  current(): Guard;
  /** Called when this guard has failed: finds a newer one, or throws why there is none. */
  renew(failed: Guard): Promise<Guard>;
  /** What is thrown when the guard changed at every try. */
  exhausted(): Error;
}

/** How often a commit is tried of which the guard alone fails: the Lease was renewed in between. */
const MAX_ATTEMPTS = 5;

/** The store of one request: everything that it commits takes effect only while its guard holds. */
export class FencedStore extends ForwardingStore {
  readonly #guard: FenceGuard;

  constructor(store: Store, guard: FenceGuard) {
    super(store);
    this.#guard = guard;
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    let guard = this.#guard.current();
    for (let attempt = 1; ; attempt++) {
      const committed = await super.commit({ ...write, guard }, signal);
      if (committed.ok || committed.guardFailed !== true) return committed;
      // The Lease is looked at after the last try too: whoever lost it is told so.
      guard = await this.#guard.renew(guard);
      if (attempt === MAX_ATTEMPTS) throw this.#guard.exhausted();
    }
  }
}

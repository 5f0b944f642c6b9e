import { type Committed, ForwardingStore, type Guard, type Store, type Write } from '@orch/storage';

/** The guard of the commits of one request. */
export interface FenceGuard {
  /** The current guard. */
  current(): Guard;
  /** Called when this guard has failed: returns a newer one, or throws the reason why there is none. */
  renew(failed: Guard): Promise<Guard>;
  /** Thrown when the guard changed at each attempt. */
  exhausted(): Error;
}

/** Maximum attempts of a commit whose guard fails because the Lease was renewed meanwhile. */
const MAX_ATTEMPTS = 5;

/** The guards of a write under a fence: that of the fence, and those of the write itself. */
const guardsOf = ({ guards }: Write, fence: Guard): readonly Guard[] =>
  guards === undefined ? [fence] : [fence, ...guards];

/** The store of one request: its commits take effect only while the guard holds. */
export class FencedStore extends ForwardingStore {
  readonly #guard: FenceGuard;

  constructor(store: Store, guard: FenceGuard) {
    super(store);
    this.#guard = guard;
  }

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    let guard = this.#guard.current();
    for (let attempt = 1; ; attempt++) {
      const committed = await super.commit({ ...write, guards: guardsOf(write, guard) }, signal);
      if (committed.ok || committed.guardFailed !== true) return committed;
      // The Lease is checked after the last attempt too, so that a lost Lease is reported.
      const renewed = await this.#guard.renew(guard);
      // The fence holds as it did: the guard of the write itself has failed.
      if (write.guards !== undefined && renewed.revision === guard.revision) return committed;
      guard = renewed;
      if (attempt === MAX_ATTEMPTS) throw this.#guard.exhausted();
    }
  }
}

import { ForwardingStore } from '../forwarding-store.ts';
import type { Committed, Guard, Revision, Store, Write } from '../store.ts';

/** A store whose commits have the record of the store as a precondition: after a change of it, none takes effect. */
export class RecordGuardedStore extends ForwardingStore {
  #guard: Guard;

  constructor(inner: Store, guard: Guard) {
    super(inner);
    this.#guard = guard;
  }

  get revision(): Revision {
    return this.#guard.revision;
  }

  set revision(revision: Revision) {
    this.#guard = { key: this.#guard.key, revision };
  }

  override commit(write: Write, signal: AbortSignal): Promise<Committed> {
    const { guards } = write;
    return super.commit(
      { ...write, guards: guards === undefined ? [this.#guard] : [...guards, this.#guard] },
      signal,
    );
  }
}

import { ForwardingStore } from '../forwarding-store.ts';
import type { Committed, Guard, Guards, Revision, Store, Write } from '../store.ts';

/** A store whose commits have the record of the store as a precondition: after a change of it none takes effect. */
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
    return super.commit({ ...write, guards: withGuard(write.guards, this.#guard) }, signal);
  }
}

function withGuard(guards: Guards | undefined, last: Guard): Guards {
  if (guards === undefined) return [last];
  const [first, second, third] = guards;
  if (second === undefined) return [first, last];
  if (third === undefined) return [first, second, last];
  throw new RangeError('a write of a server has at most two guards');
}

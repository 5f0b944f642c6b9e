import type { ApiObject, Clock } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import { type Committed, ModelStore, type Revision, type Write } from '@orch/storage';
import type { Trace } from './trace.ts';

/** A change of a key, as the store made it. */
export interface StoredChange {
  readonly rev: Revision;
  readonly key: string;
  /** Undefined for a deletion. */
  readonly object: ApiObject | undefined;
}

/** The store of a simulation. It remembers all changes of config maps, also those whose history was compacted. */
export class SimulatedStore extends ModelStore {
  readonly changes: StoredChange[] = [];
  readonly #trace: Trace;

  constructor(clock: Clock, trace: Trace) {
    super({ clock });
    this.#trace = trace;
  }

  get revision(): Revision {
    return this.content.rev;
  }

  override commit(write: Write, signal: AbortSignal): Promise<Committed> {
    const before = this.content.rev;
    const committed = super.commit(write, signal);
    const rev = this.content.rev;
    // The write has taken effect already: no watch can have delivered it before it is noted here.
    if (rev > before) this.#note(write, rev);
    return committed;
  }

  #note(write: Write, rev: Revision): void {
    const { op, key } = write;
    this.#trace.note(`store: revision ${rev} is ${op} ${key}`);
    if (!key.includes('/configmaps/')) return;
    const object = op === 'delete' ? undefined : (parseJson(write.value) as ApiObject);
    this.changes.push({ rev, key: key.slice(key.indexOf('/configmaps/') + 12), object });
  }
}

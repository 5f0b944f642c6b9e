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

/** The resources whose changes lead requests to extension API servers. */
const routing = ['/apiservices.apiregistration/', '/endpoints/'] as const;

/** The store of a simulation. It remembers all changes of some resources, also those whose history was compacted. */
export class SimulatedStore extends ModelStore {
  /** The changes of config maps. */
  readonly changes: StoredChange[] = [];
  /** The changes of API services and endpoints. */
  readonly routes: StoredChange[] = [];
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
    this.#remember(this.changes, '/configmaps/', write, rev);
    for (const part of routing) this.#remember(this.routes, part, write, rev);
  }

  #remember(changes: StoredChange[], part: string, write: Write, rev: Revision): void {
    const { op, key } = write;
    const at = key.indexOf(part);
    if (at < 0) return;
    const object = op === 'delete' ? undefined : (parseJson(write.value) as ApiObject);
    changes.push({ rev, key: key.slice(at + part.length), object });
  }
}

import { BoundedCache } from '@orch/machinery/bounded-cache';
import type { KeyRange } from '../keys.ts';
import type { KeyValue, Revision } from '../store.ts';
import type { RevisionMap } from './revision-map.ts';

/** Maximum number of remembered ranges: those of the resources and records that servers read regularly. */
const MAX_KEPT = 1024;

/**
 * The ranges that contain carried keys. A read of a whole range that finds none shows that it has none from then on:
 * keys are carried only when a migration fills the store.
 */
export class CarriedRanges {
  readonly #revisions: RevisionMap;
  /** The revision of the store from which on a range has none. */
  readonly #noneSince = new BoundedCache<string, Revision>({ maxEntries: MAX_KEPT });

  constructor(revisions: RevisionMap) {
    this.#revisions = revisions;
  }

  /** Reports whether a read at a revision of the store, the current one when undefined, may find carried keys in a range. */
  mayHave(range: KeyRange, at: Revision | undefined): boolean {
    if (!this.#revisions.mayCarry(range)) return false;
    const since = this.#noneSince.get(nameOf(range));
    return since === undefined || (at !== undefined && at < since);
  }

  isAmong(items: readonly KeyValue[]): boolean {
    return items.some((kv) => this.#revisions.isCarried(kv));
  }

  /** The whole range was read at a revision of the store, and had no carried key. */
  foundNone(range: KeyRange, at: Revision): void {
    const name = nameOf(range);
    if (!this.#noneSince.has(name)) this.#noneSince.set(name, at);
  }
}

const nameOf = ({ start, end }: KeyRange): string => `${start}\0${end}`;

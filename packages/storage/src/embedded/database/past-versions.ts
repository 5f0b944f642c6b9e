import type { DatabaseSync } from 'node:sqlite';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import type { KeyRange } from '../../keys.ts';
import { compareKeys, inRange } from '../../keys.ts';
import type { Revision } from '../../store.ts';
import { type Query, query } from './sqlite.ts';

/** A version of a key that a later one has replaced or deleted. */
export interface Replaced {
  readonly key: string;
  readonly rev: Revision;
}

/** The part of a past revision's state that revisions up to `through` replaced or deleted. */
interface View {
  through: Revision;
  readonly replaced: Replaced[];
  sorted: boolean;
}

/** Rows of the log read between two yields to the event loop. */
const STEP_ROWS = 2000;

/** Number of views kept for the next page at the same revision, and the maximum size of one. */
const KEPT_VIEWS = 8;
const KEPT_REPLACED = 50_000;

/**
 * Finds what differs between a past revision and the current state: the versions replaced since, from one scan of the
 * log after that revision. Views are cached, so that the pages of one list share the scan.
 */
export class PastVersions {
  readonly #rows: Query;
  readonly #views = new BoundedCache<Revision, View>({ maxEntries: KEPT_VIEWS });

  constructor(db: DatabaseSync) {
    this.#rows = query(db, 'SELECT rev, prev_rev, key FROM log WHERE rev > ? ORDER BY rev LIMIT ?');
  }

  /** Scans the log up to about the current revision, in steps; `replacedSince` scans the rest. */
  async prepare(at: Revision, signal: AbortSignal): Promise<void> {
    const view = this.#views.get(at) ?? { through: at, replaced: [], sorted: true };
    while (this.#extend(view, at)) {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    this.#views.set(at, view);
  }

  /** Versions of the state at `at` that are no longer current, by key. Must be called in a read transaction. */
  replacedSince(at: Revision, range: KeyRange): readonly Replaced[] {
    const view = this.#views.get(at) ?? { through: at, replaced: [], sorted: true };
    while (this.#extend(view, at));
    if (!view.sorted) view.replaced.sort((a, b) => compareKeys(a.key, b.key));
    view.sorted = true;
    if (view.replaced.length > KEPT_REPLACED) this.#views.delete(at);
    return view.replaced.filter((old) => inRange(range, old.key));
  }

  /** Returns true when rows may be left. */
  #extend(view: View, at: Revision): boolean {
    const rows = this.#rows.all(view.through, STEP_ROWS);
    for (const [rev, previous, key] of rows as [number, number, string][]) {
      view.through = rev;
      // Every version is replaced at most once, so each key of the old state appears once.
      if (previous === 0 || previous > at) continue;
      view.replaced.push({ key, rev: previous });
      view.sorted = false;
    }
    return rows.length === STEP_ROWS;
  }
}

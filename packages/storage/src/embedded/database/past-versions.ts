import type { DatabaseSync } from 'node:sqlite';
import { compareKeys, inRange } from '../../keys.ts';
import type { KeyRange, Revision } from '../../store.ts';
import { type Query, query } from './sqlite.ts';

/** A version of a key that a later one has replaced or deleted. */
export interface Replaced {
  readonly key: string;
  readonly rev: Revision;
}

/** What of one past revision's state was replaced or deleted by revisions up to `through`. */
interface View {
  through: Revision;
  readonly replaced: Replaced[];
  sorted: boolean;
}

/** Rows of the log that are looked at before others get their turn. */
const STEP_ROWS = 2000;

/** Views kept for the next page at the same revision, and how much one of them may hold. */
const KEPT_VIEWS = 8;
const KEPT_REPLACED = 50_000;

/**
 * Tells what a past revision held that the present does not: the versions replaced since, found by going through the
 * log after it once. Views are kept for a while, so that the pages of one list share that work.
 */
export class PastVersions {
  readonly #rows: Query;
  readonly #views = new Map<Revision, View>();

  constructor(db: DatabaseSync) {
    this.#rows = query(db, 'SELECT rev, prev_rev, key FROM log WHERE rev > ? ORDER BY rev LIMIT ?');
  }

  /** Goes through the log up to about now, in steps; `replacedSince` does the little that is left then. */
  async prepare(at: Revision, signal: AbortSignal): Promise<void> {
    const view = this.#views.get(at) ?? { through: at, replaced: [], sorted: true };
    while (this.#extend(view, at)) {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    this.#keep(at, view);
  }

  /** Versions of the state at `at` that are no longer current, by key. To be called in a read transaction. */
  replacedSince(at: Revision, range: KeyRange): readonly Replaced[] {
    const view = this.#views.get(at) ?? { through: at, replaced: [], sorted: true };
    while (this.#extend(view, at));
    if (!view.sorted) view.replaced.sort((a, b) => compareKeys(a.key, b.key));
    view.sorted = true;
    if (view.replaced.length > KEPT_REPLACED) this.#views.delete(at);
    return view.replaced.filter((old) => inRange(range, old.key));
  }

  /** True when there was more than one step to do. */
  #extend(view: View, at: Revision): boolean {
    const rows = this.#rows.all(view.through, STEP_ROWS);
    for (const [rev, previous, key] of rows as [number, number, string][]) {
      view.through = rev;
      // Every version is replaced once at most, so each key of the old state comes up once.
      if (previous === 0 || previous > at) continue;
      view.replaced.push({ key, rev: previous });
      view.sorted = false;
    }
    return rows.length === STEP_ROWS;
  }

  #keep(at: Revision, view: View): void {
    this.#views.delete(at);
    this.#views.set(at, view);
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= KEPT_VIEWS) return;
      this.#views.delete(oldest);
    }
  }
}

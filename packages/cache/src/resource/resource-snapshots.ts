import type { Revision } from '@orch/storage';
import type { ResourceState, State } from './resource-state.ts';

/** A snapshot: the state of a resource at every revision in `[from, through]`. */
export interface Snapshot {
  readonly state: State;
  readonly from: Revision;
  through: Revision;
  /** Monotonic milliseconds. */
  usedAt: number;
  /** `supersededBytes` of the resource when the state was current. */
  readonly superseded: number;
  readonly owner: ResourceSnapshots;
}

/** Bounds the snapshots of all resources together; the least recently used one is dropped first. */
export class SnapshotBudget {
  readonly #maxCount: number;
  readonly #maxBytes: number;
  /** In order of use, the least recently used first. */
  readonly #snapshots = new Set<Snapshot>();

  constructor(maxCount: number, maxBytes: number) {
    this.#maxCount = maxCount;
    this.#maxBytes = maxBytes;
  }

  get count(): number {
    return this.#snapshots.size;
  }

  /** Maximum number of bytes that the snapshots keep alive: each resource is counted once, by its oldest snapshot. */
  get bytes(): number {
    const byOwner = new Map<ResourceSnapshots, number>();
    for (const { owner, superseded } of this.#snapshots) {
      byOwner.set(owner, Math.max(byOwner.get(owner) ?? 0, owner.state.supersededBytes - superseded));
    }
    let bytes = 0;
    for (const held of byOwner.values()) bytes += held;
    return bytes;
  }

  use(snapshot: Snapshot, now: number): void {
    snapshot.usedAt = now;
    this.#snapshots.delete(snapshot);
    this.#snapshots.add(snapshot);
    for (const oldest of this.#snapshots) {
      if (this.#snapshots.size <= this.#maxCount) return;
      oldest.owner.drop(oldest);
    }
  }

  remove(snapshot: Snapshot): void {
    this.#snapshots.delete(snapshot);
  }

  /** Drops snapshots not used since `time`, and further ones while they keep more than the limit alive. */
  expire(time: number): void {
    for (const oldest of this.#snapshots) {
      if (oldest.usedAt >= time && this.bytes <= this.#maxBytes) return;
      oldest.owner.drop(oldest);
    }
  }
}

/** Snapshots of one resource, so that all chunks of a list show one revision. */
export class ResourceSnapshots {
  readonly state: ResourceState;
  readonly #budget: SnapshotBudget;
  readonly #maxUndo: number;
  #snapshots: Snapshot[] = [];
  /** The snapshot of the current state; undefined after a change. */
  #current: Snapshot | undefined;

  constructor(state: ResourceState, budget: SnapshotBudget, maxUndo: number) {
    this.state = state;
    this.#budget = budget;
    this.#maxUndo = maxUndo;
  }

  /** Keeps the current state, which is complete up to `rev`. */
  keepCurrent(rev: Revision, now: number): void {
    this.#current ??= this.#add(
      this.state.tree.snapshot(),
      this.state.lastChange,
      this.state.supersededBytes,
    );
    this.#current.through = Math.max(this.#current.through, rev);
    this.#budget.use(this.#current, now);
  }

  /** To be called before the state changes at `rev`. */
  beforeChange(rev: Revision): void {
    if (this.#current === undefined) return;
    this.#current.through = Math.max(this.#current.through, rev - 1);
    this.#current = undefined;
  }

  /**
   * The state at a revision before that of the current state: a kept snapshot, or a newer state with the later events
   * undone. Undefined when the event history does not reach that far, or when too many events would have to be undone.
   */
  at(rev: Revision, now: number): State | undefined {
    const kept = this.#snapshots.find((s) => s.from <= rev && rev <= s.through);
    if (kept !== undefined) {
      this.#budget.use(kept, now);
      return kept.state;
    }
    const { history } = this.state;
    if (rev < history.oldestRevision) return undefined;
    const newer = this.#newer(rev);
    const from = newer?.from ?? this.state.lastChange;
    if (history.countAfter(rev) - history.countAfter(from) > this.#maxUndo) return undefined;
    const state = (newer?.state ?? this.state.tree).snapshot();
    history.backwards(rev, from, ({ before, key }) => {
      if (before === undefined) state.delete(key);
      else state.set(before);
    });
    const made = this.#add(state, rev, newer?.superseded ?? this.state.supersededBytes);
    made.through = rev;
    this.#budget.use(made, now);
    return state;
  }

  drop(snapshot: Snapshot): void {
    this.#budget.remove(snapshot);
    this.#snapshots = this.#snapshots.filter((s) => s !== snapshot);
    if (this.#current === snapshot) this.#current = undefined;
  }

  /** Drops all snapshots, because they may differ from the store's history. */
  clear(): void {
    for (const snapshot of this.#snapshots) this.drop(snapshot);
  }

  #newer(rev: Revision): Snapshot | undefined {
    let best: Snapshot | undefined;
    for (const s of this.#snapshots) {
      if (s.from > rev && s.from < (best?.from ?? Number.POSITIVE_INFINITY)) best = s;
    }
    return best;
  }

  #add(state: State, from: Revision, superseded: number): Snapshot {
    const snapshot: Snapshot = { state, from, through: from, usedAt: 0, superseded, owner: this };
    this.#snapshots.push(snapshot);
    return snapshot;
  }
}

import type { Version } from './key-versions.ts';
import { ModelHistory } from './model-history.ts';
import type { ReadableKeyValue, Revision } from './store.ts';
import type { AutoResetEvent } from './watch-loop.ts';

/** The state of a key before its first change after a mark. */
export interface Before {
  readonly kv: ReadableKeyValue | undefined;
  /** When it expires, by the clock of the store. */
  readonly expiresAt: number | undefined;
}

/** The content of a model store: all versions of its keys, their expiry, and the watches that wait for changes. */
export class ModelContent {
  readonly history: ModelHistory;
  /** When keys with a ttl expire. */
  readonly expiry: Map<string, number>;
  readonly watches = new Set<AutoResetEvent>();
  rev: Revision = 1;
  compacted: Revision = 0;
  #before: Map<string, Before> | undefined;

  constructor(history = new ModelHistory(), expiry = new Map<string, number>()) {
    this.history = history;
    this.expiry = expiry;
  }

  /** The same content at the same revision, without watches; values are shared, because they never change. */
  copy(): ModelContent {
    const copy = new ModelContent(this.history.copy(), new Map(this.expiry));
    copy.rev = this.rev;
    copy.compacted = this.compacted;
    return copy;
  }

  /** Begins to record what changes: `changed` returns it. It costs nothing for keys that do not change. */
  mark(): void {
    this.#before = new Map();
  }

  /** The keys that were written since the last mark, with their state at the mark. */
  changed(): ReadonlyMap<string, Before> {
    return this.#before ?? new Map();
  }

  append(version: Version, expiresAt?: number): void {
    const { key } = version;
    if (this.#before?.has(key) === false)
      this.#before.set(key, { kv: this.history.read(key, version.rev), expiresAt: this.expiry.get(key) });
    if (expiresAt === undefined) this.expiry.delete(key);
    else this.expiry.set(key, expiresAt);
    this.history.append(version);
  }

  notify(): void {
    for (const changed of this.watches) changed.set();
  }
}

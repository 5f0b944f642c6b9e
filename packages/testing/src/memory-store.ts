import type { Clock } from '@orch/machinery';
import { ModelStore, type ReadableKeyValue, type Write } from '@orch/storage';

/** All objects at one moment. */
export type Snapshot = ReadonlyMap<string, ReadableKeyValue>;

/** The store of a test control plane: in memory, with states to which it can return. */
export class MemoryStore extends ModelStore {
  constructor(clock: Clock) {
    super({ clock });
  }

  /** The objects of now. Values are shared with the store, which never changes them. */
  async snapshot(signal: AbortSignal): Promise<Snapshot> {
    const { items } = await this.list(everything, {}, signal);
    // A store in memory can read all of its values.
    return new Map(items.flatMap((item) => (item.value === undefined ? [] : [[item.key, item] as const])));
  }

  /**
   * Makes the objects as they were, in one revision: objects that were added are deleted, others get their values back. Watches
   * see each difference, so no client has to start again. Versions continue to grow, because clients compare them.
   */
  async restore(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const current = await this.snapshot(signal);
    const writes: Write[] = [];
    for (const { key, modRevision } of current.values())
      if (!snapshot.has(key)) writes.push({ op: 'delete', key, expected: modRevision });
    for (const [key, { value, modRevision }] of snapshot)
      if (current.get(key)?.modRevision !== modRevision) writes.push({ op: 'create', key, value });
    if (writes.length > 0) this.commitTogether(writes);
  }
}

const everything = { start: '', end: '\u{10ffff}' };

import { BoundedCache } from '@orch/machinery/bounded-cache';
import type { Encoded } from '../convert/storage-codec.ts';

/** More than the number of concurrent writes, unless the watch of the store stalls. */
const MAX_WRITES = 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Objects that this server writes, until its watch of the store delivers them, so that they need not be decoded again.
 * Matched by key and bytes, independent of whether and when the write took effect. Beyond the limits the oldest are
 * dropped, and decoded like the writes of other servers.
 */
export class RecentWrites {
  readonly #writes = new BoundedCache<string, Encoded>({
    maxEntries: MAX_WRITES,
    size: { max: MAX_BYTES, of: ({ value }) => value.length },
  });

  /** Must be called before the write is sent: the watch may be faster than the reply. `key` is the store key. */
  put(key: string, encoded: Encoded): void {
    this.#writes.set(key, encoded);
  }

  /** Removes and returns the last write of the key, when the arrived bytes are the written ones. */
  take(key: string, value: Buffer): Encoded | undefined {
    const encoded = this.#writes.delete(key);
    return encoded?.value.equals(value) === true ? encoded : undefined;
  }
}

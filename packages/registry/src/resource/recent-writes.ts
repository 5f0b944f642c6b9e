import type { Encoded } from '../convert/storage-codec.ts';

/** More than what is on its way at one time, unless the watch of the store hangs. */
const MAX_WRITES = 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * What this server is about to store, until its own watch of the store brings it: what was just made need not be read
 * again. By key, and by the very bytes, so that it does not matter whether the write took effect, or when. What does not
 * fit is forgotten, the oldest first: it is read then, like what others write.
 */
export class RecentWrites {
  readonly #writes = new Map<string, Encoded>();
  #bytes = 0;

  /** To be called before the write is sent: the watch may be faster than the answer. `key` is that of the store. */
  put(key: string, encoded: Encoded): void {
    this.#forget(key);
    this.#writes.set(key, encoded);
    this.#bytes += encoded.value.length;
    while (this.#writes.size > MAX_WRITES || this.#bytes > MAX_BYTES) {
      const oldest = this.#writes.keys().next().value;
      if (oldest === undefined) return;
      this.#forget(oldest);
    }
  }

  /** What has arrived, when it is what was sent last. Told once. */
  take(key: string, value: Buffer): Encoded | undefined {
    const encoded = this.#forget(key);
    return encoded?.value.equals(value) === true ? encoded : undefined;
  }

  #forget(key: string): Encoded | undefined {
    const encoded = this.#writes.get(key);
    if (encoded === undefined) return undefined;
    this.#writes.delete(key);
    this.#bytes -= encoded.value.length;
    return encoded;
  }
}

import type { ApiObject } from '@orch/machinery';

/** The relation of the cached state of an object to the writes of this process. */
export type Freshness =
  /** The cache contains every write of this process. */
  | 'current'
  /** The last write of this process is not in the cache yet. */
  | 'stale'
  /** The outcome of the last write is unknown: the cache may be stale. */
  | 'uncertain';

interface Write {
  /** The resourceVersion that was written over. */
  readonly base: string;
  readonly isConfirmed: boolean;
}

/**
 * Keeps the last write of each object until the informer delivers it. A decision based on the state before that write
 * would mistake a replaced status for the current one.
 */
export class OwnWrites {
  readonly #writes = new Map<string, Write>();

  freshness(key: string, cached: ApiObject): Freshness {
    const write = this.#writes.get(key);
    if (write === undefined) return 'current';
    if (write.base === cached.metadata.resourceVersion) return write.isConfirmed ? 'stale' : 'uncertain';
    this.#writes.delete(key);
    return 'current';
  }

  /** Sends a write based on the cached object. `isRejection` identifies failures that changed nothing. */
  async write(
    { key, cached }: { readonly key: string; readonly cached: ApiObject },
    send: () => Promise<ApiObject>,
    isRejection: (error: unknown) => boolean,
  ): Promise<void> {
    const base = cached.metadata.resourceVersion ?? '';
    this.#writes.set(key, { base, isConfirmed: false });
    try {
      const { metadata } = await send();
      if (metadata.resourceVersion === base) this.#writes.delete(key);
      else this.#writes.set(key, { base, isConfirmed: true });
    } catch (error) {
      if (isRejection(error)) this.#writes.delete(key);
      throw error;
    }
  }

  forget(key: string): void {
    this.#writes.delete(key);
  }
}

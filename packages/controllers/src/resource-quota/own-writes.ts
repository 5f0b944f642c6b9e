import type { ApiObject } from '@orch/machinery';

/** What is known of an object that was written from what an informer showed of it. */
export type Standing =
  /** It is as the informer shows it, as far as this side knows. */
  | 'seen'
  /** A write of one's own is not seen yet: what is shown is old. */
  | 'behind'
  /** A write of one's own may have been carried out: what is shown may be old. */
  | 'doubtful';

interface Written {
  readonly from: string;
  readonly isCertain: boolean;
}

/**
 * Remembers the last write of each object until the informer shows it. Deciding by what was before one's own write would
 * take a status for right that was already written over.
 */
export class OwnWrites {
  readonly #written = new Map<string, Written>();

  standing(key: string, shown: ApiObject): Standing {
    const written = this.#written.get(key);
    if (written === undefined) return 'seen';
    if (written.from === shown.metadata.resourceVersion) return written.isCertain ? 'behind' : 'doubtful';
    this.#written.delete(key);
    return 'seen';
  }

  /** Sends a write whose base is what the informer shows. `isRefused` tells failures that left everything as it was. */
  async write(
    key: string,
    shown: ApiObject,
    send: () => Promise<ApiObject>,
    isRefused: (error: unknown) => boolean,
  ): Promise<void> {
    const from = shown.metadata.resourceVersion ?? '';
    this.#written.set(key, { from, isCertain: false });
    try {
      const { metadata } = await send();
      if (metadata.resourceVersion === from) this.#written.delete(key);
      else this.#written.set(key, { from, isCertain: true });
    } catch (error) {
      if (isRefused(error)) this.#written.delete(key);
      throw error;
    }
  }

  forget(key: string): void {
    this.#written.delete(key);
  }
}

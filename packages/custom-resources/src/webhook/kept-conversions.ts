import type { ApiObject } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';

interface Kept {
  readonly object: ApiObject;
  readonly bytes: number;
}

/** Bytes of the latest results of one kind. Those that are in use stay in addition. */
const LIMIT_BYTES = 4 * 1024 * 1024;

/** The latest results of conversions by key, the least recently used first, and those that requests hold. */
export class KeptConversions {
  readonly #recent = new BoundedCache<string, Kept>({
    size: { max: LIMIT_BYTES, of: ({ bytes }) => bytes },
    leastRecentlyUsed: true,
  });
  readonly #held = new Map<string, { readonly object: ApiObject; holders: number }>();

  find(key: string): ApiObject | undefined {
    const held = this.#held.get(key);
    if (held !== undefined) return held.object;
    return this.#recent.get(key)?.object;
  }

  add(key: string, object: ApiObject, bytes: number): void {
    this.#recent.set(key, { object, bytes });
  }

  /** Keeps a result until the returned value is disposed. */
  hold(key: string, object: ApiObject): Disposable {
    const held = this.#held.get(key) ?? { object, holders: 0 };
    held.holders += 1;
    this.#held.set(key, held);
    return {
      [Symbol.dispose]: () => {
        held.holders -= 1;
        if (held.holders === 0) this.#held.delete(key);
      },
    };
  }
}

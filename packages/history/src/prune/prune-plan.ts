import type { FoundChange } from '../read/recorded-change.ts';

/** How much history is kept. */
export interface HistoryLimits {
  readonly retentionMs: number;
  /** Of all changes. */
  readonly maxBytes: number;
}

/** A single object may use this part of all bytes, and no more than this number of changes. */
const OBJECT_PART = 16;
const MAX_OBJECT_CHANGES = 1000;

/** Which changes of one object exceed the limits, all in the order of their writes: the oldest ones. */
export function exceeding(
  changes: readonly FoundChange[],
  { maxBytes }: HistoryLimits,
  keptSinceMs: number,
): number {
  let bytes = 0;
  let first = changes.length;
  while (first > 0) {
    const change = changes[first - 1];
    if (change === undefined || change.timeMs < keptSinceMs) break;
    if (changes.length - first >= MAX_OBJECT_CHANGES || bytes + change.bytes > maxBytes / OBJECT_PART) break;
    bytes += change.bytes;
    first--;
  }
  return first;
}

const BUCKETS = 1024;

/** How many bytes are from which time, approximately. */
export class AgeHistogram {
  readonly #bytes = new Float64Array(BUCKETS);
  readonly #fromMs: number;
  readonly #bucketMs: number;

  constructor(nowMs: number, { retentionMs }: HistoryLimits) {
    this.#bucketMs = Math.max(1, retentionMs / BUCKETS);
    this.#fromMs = nowMs - retentionMs;
  }

  add({ timeMs, bytes }: Pick<FoundChange, 'timeMs' | 'bytes'>): void {
    const bucket = Math.floor((timeMs - this.#fromMs) / this.#bucketMs);
    const at = Math.min(BUCKETS - 1, Math.max(0, bucket));
    this.#bytes[at] = (this.#bytes[at] ?? 0) + bytes;
  }

  get total(): number {
    return this.#bytes.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** The time since which at most `maxBytes` were recorded; undefined when all are within. */
  keptSince(maxBytes: number): number | undefined {
    let bytes = 0;
    for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
      bytes += this.#bytes[bucket] ?? 0;
      if (bytes > maxBytes) return this.#fromMs + (bucket + 1) * this.#bucketMs;
    }
    return undefined;
  }
}

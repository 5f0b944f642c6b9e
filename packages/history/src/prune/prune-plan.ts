import type { Revision } from '@orch/storage';
import type { FoundChange } from '../read/recorded-change.ts';

/** How much history is kept. */
export interface HistoryLimits {
  readonly retentionMs: number;
  /** Of all changes. */
  readonly maxBytes: number;
}

/** The part of each object that is kept. */
export interface KeptPart {
  readonly nowMs: number;
  /** Changes are kept that were written since then. */
  readonly sinceMs: number;
  /** Changes are kept that were written after this revision. */
  readonly after: Revision;
  /** Of all changes. */
  readonly maxBytes: number;
}

/** A single object may use this part of all bytes, and no more than this number of changes. */
const OBJECT_PART = 16;
const MAX_OBJECT_CHANGES = 1000;

/** How many changes of one object exceed the limits, all in the order of their writes: the oldest ones. */
export const exceeding = (changes: readonly FoundChange[], kept: KeptPart): number =>
  Math.max(tooOld(changes, kept), upTo(changes, kept.after), tooMany(changes, kept.maxBytes / OBJECT_PART));

/**
 * A change is no older than those before it: a stamp of a clock that was behind has no effect after a later one. A stamp of the
 * future says nothing, so that its change is as old as the next one.
 */
function tooOld(changes: readonly FoundChange[], { nowMs, sinceMs }: KeptPart): number {
  let old = 0;
  for (const [i, { timeMs }] of changes.entries()) {
    if (timeMs > nowMs) continue;
    if (timeMs >= sinceMs) break;
    old = i + 1;
  }
  return old;
}

function upTo(changes: readonly FoundChange[], revision: Revision): number {
  const first = changes.findIndex((change) => change.revision > revision);
  return first < 0 ? changes.length : first;
}

function tooMany(changes: readonly FoundChange[], maxBytes: number): number {
  let bytes = 0;
  let first = changes.length;
  while (first > 0 && changes.length - first < MAX_OBJECT_CHANGES) {
    bytes += changes[first - 1]?.bytes ?? 0;
    if (bytes > maxBytes) break;
    first--;
  }
  return first;
}

import type { Revision } from '@orch/storage';
import type { FoundChange } from '../read/recorded-change.ts';

/** The limits of the history. */
export interface HistoryLimits {
  readonly retentionMs: number;
  /** Maximum size of all changes. */
  readonly maxBytes: number;
}

/** The part of the changes of each object that is kept. */
export interface KeptPart {
  readonly nowMs: number;
  /** Changes written since then are kept. */
  readonly sinceMs: number;
  /** Changes written after this revision are kept. */
  readonly after: Revision;
  /** Maximum size of all changes. */
  readonly maxBytes: number;
}

/** A single object may use this part of all bytes, and no more than this number of changes. */
const OBJECT_PART = 16;
const MAX_OBJECT_CHANGES = 1000;

/**
 * The number of changes of one object that exceed the limits: the oldest ones of all, which are in the order of their
 * writes.
 */
export const exceeding = (changes: readonly FoundChange[], kept: KeptPart): number =>
  Math.max(tooOld(changes, kept), upTo(changes, kept.after), tooMany(changes, kept.maxBytes / OBJECT_PART));

/**
 * A change is at most as old as those before it: a timestamp from a slow clock has no effect after a later one. A
 * timestamp in the future is ignored, so that its change is as old as the next one.
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

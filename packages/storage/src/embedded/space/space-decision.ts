/** What a store has room for, in bytes. */
export interface Space {
  /**
   * Of the disk, with what is held back: beyond what the log needs, and what stands in it and not in the database yet.
   * Negative when not even that is there.
   */
  readonly disk: number;
  /** The database has so much free within it. */
  readonly within: number;
  /** The database may grow by so much before it reaches the limit of its size. */
  readonly growth: number;
}

export interface SpaceDecision {
  /** Only what makes room may be written, from what was held back. */
  readonly isFull: boolean;
  /** The log has to stay small. */
  readonly isScarce: boolean;
  /** Bytes to hold back in a file: the rest of the reserve is free within the database. */
  readonly hold: number;
}

/** Part of the reserve that the log needs when there is nothing else. */
export const LOG_PART = 4;

/**
 * Whether a store is full. It becomes so before a write of `incoming` bytes would use what is held back, and has room
 * again when there is half as much more than is held back: not every deletion or write changes it.
 */
export function decideSpace(
  space: Space,
  reserve: number,
  now: { readonly isFull: boolean; readonly incoming: number },
): SpaceDecision {
  const outside = Math.min(space.disk, space.growth);
  const spare = Math.max(outside, 0) + space.within;
  const needed = now.isFull ? 1.5 * reserve : reserve + now.incoming;
  if (space.disk < 0 || spare < needed) return { isFull: true, isScarce: true, hold: 0 };
  const hold = outside >= reserve ? reserve : Math.min(space.disk, reserve / LOG_PART);
  return { isFull: false, isScarce: outside < 2 * reserve, hold: Math.floor(hold) };
}

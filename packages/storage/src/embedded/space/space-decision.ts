/** Available space of a store, in bytes. */
export interface Space {
  /**
   * On the disk, including the reserve, minus what the log needs and what has to be copied from it to the database.
   * Negative when that does not fit.
   */
  readonly disk: number;
  /** Free pages within the database. */
  readonly within: number;
  /** Growth left up to the size limit of the database. */
  readonly growth: number;
}

export interface SpaceDecision {
  /** Only writes that make room are accepted, from the reserve. */
  readonly isFull: boolean;
  /** The log must stay small. */
  readonly isScarce: boolean;
  /** Bytes to reserve in a file; the rest of the reserve is free pages of the database. */
  readonly hold: number;
}

/** Divisor: the part of the reserve that the log needs when no other space is left. */
export const LOG_PART = 4;

/**
 * Decides whether a store is full. It becomes full before a write of `incoming` bytes would use the reserve, and has
 * space again at one and a half times the reserve: this hysteresis avoids a change with every write.
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

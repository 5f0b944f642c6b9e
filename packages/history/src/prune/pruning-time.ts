/** The shared state of the servers about the rounds of pruning. */
export interface PruningTime {
  /** The time by which the last round decided what is too old. */
  readonly timeMs: number;
  /** Number of successive rounds whose servers had clocks far ahead of it. */
  readonly ahead: number;
}

/** After this number of rounds, the servers agree that the time has come: no clock contradicts. */
const AGREED_ROUNDS = 6;

/**
 * The time of the next round, by a clock. A clock that is further ahead of the last round than `boundMs` is either wrong or the first
 * since all servers were down: then the time stays, until several rounds have found the same. A server whose clock is right has rounds
 * between those of one whose clock is not, and continues from the last time. `isEarly`: a round that the interval did not begin, of
 * which one server may have many.
 */
export function nextPruningTime(
  last: PruningTime | undefined,
  nowMs: number,
  { boundMs, isEarly }: { readonly boundMs: number; readonly isEarly: boolean },
): PruningTime {
  if (last === undefined || nowMs - last.timeMs <= boundMs) return { timeMs: nowMs, ahead: 0 };
  const ahead = last.ahead + (isEarly ? 0 : 1);
  return ahead < AGREED_ROUNDS ? { timeMs: last.timeMs, ahead } : { timeMs: nowMs, ahead: 0 };
}

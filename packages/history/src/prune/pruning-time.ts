/** The shared state of the servers about the rounds of pruning. */
export interface PruningTime {
  /** The time by which the last round decided which changes are too old. */
  readonly timeMs: number;
  /** Number of successive rounds whose servers had clocks far ahead of it. */
  readonly ahead: number;
}

/** After this number of rounds, the servers accept the time: no clock contradicts it. */
const AGREED_ROUNDS = 6;

/**
 * The time of the next round, by a clock. A clock that is further ahead of the last round than `boundMs` is either
 * wrong or the first one after all servers were down: the time then stays until several rounds have agreed. A server
 * with a correct clock has rounds between those of a server without, and continues from the last time. `isEarly`: a
 * round that was not started by the interval; one server may start many of them.
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

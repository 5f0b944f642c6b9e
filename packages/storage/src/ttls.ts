/** Remaining seconds of keys that expire. */
export type Ttls = ReadonlyMap<string, number>;

/** Whole seconds until a time in epoch milliseconds, at least 1: an expired key may not have been deleted yet. */
export const ttlSecondsAt = (nowMs: number, expiresMs: number): number =>
  Math.max(1, Math.ceil((expiresMs - nowMs) / 1000));

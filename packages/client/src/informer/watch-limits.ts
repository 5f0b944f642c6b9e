import type { Env } from '@orch/machinery';

/** Minimum duration of watches. The requested one is up to twice as long, so that watches do not end simultaneously. */
const WATCH_SECONDS = 300;
/** A watch that exceeds its requested duration by this time has lost its server. */
export const GRACE_MS = 30_000;
/** A watch of this duration counts as successful even without events. */
export const GOOD_WATCH_MS = 10_000;
/** Servers send bookmarks about every minute: a watch without any event for this time may have lost its history. */
export const SILENT_MS = 120_000;
/** Delays after failures. */
export const FIRST_WAIT_MS = 200;
export const MAX_WAIT_MS = 10_000;

/** The duration to request for a watch. */
export const watchSeconds = ({ random }: Pick<Env, 'random'>): number =>
  WATCH_SECONDS + random.int(WATCH_SECONDS + 1);

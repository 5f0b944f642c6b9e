import type { Env } from '@orch/machinery';
import type { TransportResponse } from '../transport/transport.ts';

/** Attempts for one request when the server sends `Retry-After`. */
const MAX_TRIES = 6;
/** A longer delay is not waited for. */
const MAX_WAIT_MS = 30_000;

/** The delay of `Retry-After` (RFC 9110 section 10.2.3), in milliseconds; undefined without one. */
function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * 1000;
  const date = /^[A-Za-z]{3}, \d/.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/**
 * The delay before a retry, with up to 20 % of jitter, so that rejected clients do not retry simultaneously. Undefined
 * without a retry: the server did not request one, or the delay is too long.
 */
export function waitBeforeRetry(
  { status, headers }: Pick<TransportResponse, 'status' | 'headers'>,
  tries: number,
  { clock, random }: Pick<Env, 'clock' | 'random'>,
): number | undefined {
  if ((status !== 429 && status !== 503) || tries >= MAX_TRIES) return undefined;
  const requested = retryAfterMs(headers['retry-after'], clock.now());
  if (requested === undefined || requested > MAX_WAIT_MS) return undefined;
  return requested + random.int(Math.floor(requested / 5) + 50);
}

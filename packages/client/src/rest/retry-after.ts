import type { Env } from '@orch/machinery';
import type { TransportResponse } from '../transport/transport.ts';

/** Times that one request is sent when the server asks for patience. */
export const maxTries = 6;
/** A server that asks for more patience than this is answered with none. */
const longestWaitMs = 30_000;

/** What the server asks to wait (RFC 9110 section 10.2.3), in milliseconds; undefined when it does not say. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const trimmed = value.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * 1000;
  const date = /^[A-Za-z]{3}, \d/.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/**
 * How long to wait before the request is sent again, with up to a fifth more so that those who were sent away together
 * do not come back together. Undefined when it is not to be sent again: the server did not ask for that, or for too long.
 */
export function waitBeforeRetry(
  { status, headers }: Pick<TransportResponse, 'status' | 'headers'>,
  tries: number,
  { clock, random }: Pick<Env, 'clock' | 'random'>,
): number | undefined {
  if ((status !== 429 && status !== 503) || tries >= maxTries) return undefined;
  const asked = retryAfterMs(headers['retry-after'], clock.now());
  if (asked === undefined || asked > longestWaitMs) return undefined;
  return asked + random.int(Math.floor(asked / 5) + 50);
}

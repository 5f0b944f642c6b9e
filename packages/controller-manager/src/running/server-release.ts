import type { Client } from '@orch/client';
import { type Env, messageOf } from '@orch/machinery';
import { Backoff } from '@orch/machinery/concurrency';

/** Release of the API: `{ major: 1, minor: 24 }`. */
export interface ServerRelease {
  readonly major: number;
  readonly minor: number;
}

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;
/** Interval of log entries while waiting for the server. */
const PROGRESS_MS = 10_000;

/**
 * Requests the release of the server until it responds: a manager may start before its server. Rejects with the reason of
 * the signal only.
 */
export async function serverRelease(client: Client, env: Env, signal: AbortSignal): Promise<ServerRelease> {
  const { clock, log } = env;
  const backoff = new Backoff(env, FIRST_WAIT_MS, MAX_WAIT_MS);
  const started = clock.monotonic();
  let loggedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return releaseOf(await client.raw({ method: 'GET', target: '/version', headers: {} }, signal));
    } catch (error) {
      signal.throwIfAborted();
      const now = clock.monotonic();
      if (now - loggedAt >= PROGRESS_MS) {
        loggedAt = now;
        const seconds = Math.round((now - started) / 1000);
        log.warn('waiting for the API server', { seconds, error: messageOf(error) });
      }
    }
    await backoff.wait(signal);
  }
}

function releaseOf(version: unknown): ServerRelease {
  const { major, minor } = Object(version) as Record<string, unknown>;
  const numbers = [major, minor].map((text) => Number.parseInt(String(text), 10));
  if (!numbers.every((number) => Number.isInteger(number)))
    throw new Error('the version of the server cannot be parsed');
  return { major: numbers[0] ?? 0, minor: numbers[1] ?? 0 };
}

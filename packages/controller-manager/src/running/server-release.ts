import type { Client } from '@orch/client';
import { type Env, messageOf, sleep } from '@orch/machinery';

/** Release of the API: `{ major: 1, minor: 24 }`. */
export interface ServerRelease {
  readonly major: number;
  readonly minor: number;
}

const firstWaitMs = 250;
const longestWaitMs = 5_000;
/** How often the log says that the server is still waited for. */
const progressMs = 10_000;

/**
 * Asks the server for the release that it serves, until it answers: a manager may be there before its server. Rejects
 * with the signal's reason only.
 */
export async function serverRelease(client: Client, env: Env, signal: AbortSignal): Promise<ServerRelease> {
  const { clock, log, random } = env;
  const started = clock.monotonic();
  let toldAt = Number.NEGATIVE_INFINITY;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return releaseOf(await client.raw({ method: 'GET', target: '/version', headers: {} }, signal));
    } catch (error) {
      signal.throwIfAborted();
      const now = clock.monotonic();
      if (now - toldAt >= progressMs) {
        toldAt = now;
        const seconds = Math.round((now - started) / 1000);
        log.warn('waiting for the API server', { seconds, error: messageOf(error) });
      }
    }
    await sleep(clock, waitMs / 2 + random.int(waitMs / 2 + 1), signal);
  }
}

function releaseOf(answer: unknown): ServerRelease {
  const { major, minor } = Object(answer) as Record<string, unknown>;
  const numbers = [major, minor].map((text) => Number.parseInt(String(text), 10));
  if (!numbers.every((number) => Number.isInteger(number)))
    throw new Error('what the server says of its version cannot be read');
  return { major: numbers[0] ?? 0, minor: numbers[1] ?? 0 };
}

import type { Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import type { ObservedWork } from './observed-work.ts';

/** How long `quiescent` waits. */
export interface QuiescentOptions {
  /** After this time it rejects; ten seconds when absent. */
  readonly timeoutMs?: number;
  /** The time for which nothing may happen; 50 ms when absent. */
  readonly settleMs?: number;
}

/** The parts whose rest is awaited. */
export interface Activity {
  readonly clock: Clock;
  readonly work: ObservedWork;
  /** Revision of the store. */
  revision(): number;
  /** The latest writes as text, for the failure message. */
  recentWrites(): Promise<string>;
}

const TIMEOUT_MS = 10_000;
const SETTLE_MS = 50;
const STEP_MS = 5;
/** Steps during which nothing happened: on a busy machine, the time alone proves little. */
const STEPS = 5;

/**
 * Resolves when no queue has work and the store has not changed for a while: all events have arrived and were processed. Keys that
 * failed and wait for another attempt are work; keys that a controller has asked for later are not.
 */
export async function quiescent(
  activity: Activity,
  options: QuiescentOptions = {},
  signal: AbortSignal = never,
): Promise<void> {
  const { clock, work } = activity;
  const { timeoutMs = TIMEOUT_MS, settleMs = SETTLE_MS } = options;
  const begin = clock.monotonic();
  let revision = activity.revision();
  let since = begin;
  for (let calm = 0; calm < STEPS || clock.monotonic() - since < settleMs; ) {
    await sleep(clock, STEP_MS, signal);
    const now = clock.monotonic();
    if (work.remaining().length > 0 || activity.revision() !== revision) {
      if (now - begin > timeoutMs) throw await unrest(activity, timeoutMs);
      revision = activity.revision();
      since = now;
      calm = 0;
    } else {
      calm++;
    }
  }
}

async function unrest(activity: Activity, timeoutMs: number): Promise<Error> {
  const remaining = activity.work.remaining();
  const busy = remaining.length === 0 ? 'the objects change all the time' : remaining.join(', ');
  return new Error(
    `the control plane does not come to rest within ${timeoutMs} ms: ${busy}\n${await activity.recentWrites()}`,
  );
}

const { signal: never } = new AbortController();

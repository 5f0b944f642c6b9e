import type { Clock } from '@orch/machinery';
import { aborted, anySignal, sleep } from '@orch/machinery/concurrency';

/** A part of a process, which runs until the signal aborts. */
export interface Part {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
}

/** Maximum time to wait for a part to end before the parts that it depends on are stopped. */
const END_MS = 10_000;

interface Running {
  readonly ended: Promise<void>;
  stop(reason: unknown): void;
}

/**
 * Runs parts concurrently until the signal aborts or one of them ends. Then they are stopped in reverse order, since
 * each depends on those before it; each has some time to end before the next is stopped. Rejects with the first
 * failure, once all have ended.
 */
export async function runTogether(parts: readonly Part[], clock: Clock, signal: AbortSignal): Promise<void> {
  using over = anySignal([signal]);
  const failures: unknown[] = [];
  const running = parts.map((part): Running => {
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      try {
        await part.run(stop.signal);
      } catch (error) {
        // An abort by its own signal is not a failure of a part.
        if (!stop.signal.aborted || error !== stop.signal.reason) failures.push(error);
      }
      over.abort(new Error(`${part.name} has ended`));
    };
    return { ended: run(), stop: (reason) => stop.abort(reason) };
  });
  await aborted(over.signal);
  for (const { ended, stop } of running.toReversed()) {
    stop(over.signal.reason);
    await atMost(ended, clock);
  }
  await Promise.all(running.map(({ ended }) => ended));
  if (failures.length > 0) throw failures[0];
}

async function atMost(ended: Promise<void>, clock: Clock): Promise<void> {
  using scope = anySignal([]);
  const timer = sleep(clock, END_MS, scope.signal).catch(() => undefined);
  await Promise.race([ended, timer]);
  scope.abort();
}

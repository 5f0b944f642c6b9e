import { cpus, freemem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The limits on the number of tasks that run at the same time. */
export interface Width {
  readonly atLeast: number;
  readonly atMost: number;
  /** Observes for a short time whether there is room for a task above `atLeast`. */
  readonly room: () => Promise<boolean>;
}

const OBSERVED_MS = 1000;
const IDLE_SHARE = 0.05;
const FREE_BYTES = 2 * 1024 ** 3;

/**
 * Runs all tasks, which start in their order. Tasks that wait, for a program that starts or for time to pass, leave processors to
 * others: more than `atLeast` run while there is room. Rejects when a task does.
 */
export async function runAll(
  tasks: Iterable<() => Promise<void>>,
  { atLeast, atMost, room }: Width,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const ended = (): Promise<boolean> => Promise.race(running).then(() => false);
  for (const task of tasks) {
    while (running.size >= atLeast) {
      const more = running.size < atMost && (await Promise.race([ended(), room()]));
      if (more) break;
      if (running.size >= atMost) await ended();
    }
    const run: Promise<unknown> = task().finally(() => running.delete(run));
    running.add(run);
  }
  await Promise.all(running);
}

/** Reports whether processors were idle for a second and memory is free. */
export async function machineHasRoom(): Promise<boolean> {
  const before = idleMilliseconds();
  const startedAt = performance.now();
  await sleep(OBSERVED_MS, undefined, { ref: false });
  const possible = (performance.now() - startedAt) * cpus().length;
  return (idleMilliseconds() - before) / possible > IDLE_SHARE && freemem() > FREE_BYTES;
}

const idleMilliseconds = (): number => cpus().reduce((sum, { times }) => sum + times.idle, 0);

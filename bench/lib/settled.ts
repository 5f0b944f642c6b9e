import { setTimeout as sleep } from 'node:timers/promises';
import type { Subject } from './context.ts';
import { cpuMicros } from './proc.ts';

const POLL_MS = 200;
const SETTLE_TIMEOUT_MS = 300_000;
/** A server that uses less CPU than this for this number of polls has no more work. */
const IDLE_CPU_MS = 10;
const IDLE_POLLS = 15;

/** CPU of the server during some work, in ms. */
export async function cpuMsOf({ pid }: Pick<Subject, 'pid'>, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMicros(pid);
  await work();
  return (cpuMicros(pid) - before) / 1000;
}

/** Resolves when the server has no more work. */
export async function settled(subject: Pick<Subject, 'pid'>): Promise<void> {
  const deadline = AbortSignal.timeout(SETTLE_TIMEOUT_MS);
  for (let idle = 0; idle < IDLE_POLLS; ) {
    deadline.throwIfAborted();
    const cpuMs = await cpuMsOf(subject, () => sleep(POLL_MS));
    idle = cpuMs < IDLE_CPU_MS ? idle + 1 : 0;
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * CPU time of each thread of a process so far, in microseconds: from the scheduler's statistics, not from its ticks.
 */
export function threadMicros(pid: number): ReadonlyMap<string, number> {
  const tasks = `/proc/${pid}/task`;
  const nanosOf = (task: string): number =>
    Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]);
  return new Map(readdirSync(tasks).map((task) => [task, nanosOf(task) / 1000]));
}

/** CPU time of all threads of a process so far, in microseconds. */
export const cpuMicros = (pid: number): number =>
  threadMicros(pid)
    .values()
    .reduce((sum, micros) => sum + micros, 0);

/** CPU time of the ended child processes of this process so far, in milliseconds; in ticks of 10 ms. */
export function childCpuMillis(): number {
  // The name of the program, in parentheses, may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user, system] = [fields[13], fields[14]];
  return (Number(user) + Number(system)) * 10;
}

const statusField = (pid: number, name: string): number => {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return match === null ? 0 : Number(match[1]) * 1024;
};

/** Resident memory in bytes. */
export const rssBytes = (pid: number): number => statusField(pid, 'VmRSS');

/** The maximum resident memory of the process so far, in bytes. */
export const peakRssSoFar = (pid: number): number => statusField(pid, 'VmHWM');

/** Runs `work` and returns the maximum resident memory, sampled every 5 ms. */
export async function peakRss(pid: number, work: () => Promise<void>): Promise<number> {
  let peak = rssBytes(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, rssBytes(pid));
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(peak, rssBytes(pid));
}

/** The process that a wrapper script has started: the innermost descendant. */
export function innermost(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const first = children.split(' ')[0];
    return first === undefined || first === '' ? pid : innermost(Number(first));
  } catch {
    return pid;
  }
}

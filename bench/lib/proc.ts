import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** CPU time of a process so far, user and system together, in microseconds (resolution: 10 ms). */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticksPerSecond;
}

const statusField = (pid: number, name: string): number => {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return match === null ? 0 : Number(match[1]) * 1024;
};

/** Resident memory in bytes. */
export const rssBytes = (pid: number): number => statusField(pid, 'VmRSS');

/** Runs `work` and returns the highest resident memory seen, sampled every 5 ms. */
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

/** The process that a wrapper script became or started: the innermost descendant. */
export function innermost(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const first = children.split(' ')[0];
    return first === undefined || first === '' ? pid : innermost(Number(first));
  } catch {
    return pid;
  }
}

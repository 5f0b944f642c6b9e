import { readFileSync } from 'node:fs';

/** Linux reports times of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** The place of `cutime`, which `cstime` follows, in `/proc/self/stat` after the name of the program. */
const CUTIME = 13;

/**
 * CPU time of this process and of the programs that it ran. Only Linux says how long ended children were running; elsewhere it is
 * the time of this process alone.
 */
export function processCpuSeconds(): number {
  const ofPrograms = programsCpuSeconds();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (ofPrograms ?? 0);
}

/** CPU time of the programs that this process ran, with those that they ran, once they have ended; undefined except on Linux. */
export function programsCpuSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = fields.slice(CUTIME, CUTIME + 2).map(Number);
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND;
}

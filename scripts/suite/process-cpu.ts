import { readFileSync } from 'node:fs';

/** Linux reports times of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** The place of `utime` in `/proc/self/stat` after the name of the program; `stime` and those of ended children follow it. */
const UTIME = 11;

/**
 * CPU time of this process and of the programs that it ran. Only Linux says how long ended children were running; elsewhere it is
 * the time of this process alone.
 */
export function processCpuSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(UTIME, UTIME + 4).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

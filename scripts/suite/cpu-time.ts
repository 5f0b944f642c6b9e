/** Loaded into every test process: reports the CPU time of the process and of the programs that it ran. */
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { writeCpu } from './process-lines.ts';

/** Linux reports times of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** The place of `utime` in `/proc/self/stat` after the name of the program; `stime` and those of ended children follow it. */
const UTIME = 11;

/** Only Linux says how long ended children were running; elsewhere it is the time of this process alone. */
function cpuSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(UTIME, UTIME + 4).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

if (isMainThread) process.on('exit', () => writeCpu(cpuSeconds()));

/** Loaded into every test process: reports the CPU time of the process and of the programs that it ran. */
import { isMainThread } from 'node:worker_threads';
import { processCpuSeconds } from './process-cpu.ts';
import { writeCpu } from './process-lines.ts';

if (isMainThread) process.on('exit', () => writeCpu(processCpuSeconds()));

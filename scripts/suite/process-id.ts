/** Loaded into every test process: tells the runner which process to kill when its time is over. */
import { isMainThread } from 'node:worker_threads';
import { writeProcess } from './process-lines.ts';

if (isMainThread) writeProcess(process.pid);

/** Loaded into every test process: reports its identifier, so that the runner can kill it. */
import { isMainThread } from 'node:worker_threads';
import { writeProcess } from './process-lines.ts';

if (isMainThread) writeProcess(process.pid);

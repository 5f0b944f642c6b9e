/**
 * Loaded into every test process: the process ends after its last work without releasing what it still holds. Releasing takes time,
 * and Node sometimes waits for a resource without end.
 */
import { isMainThread } from 'node:worker_threads';

function end(code: number): void {
  for (const listener of process.listeners('exit'))
    if (listener !== end) Reflect.apply(listener, process, [code]);
  process.exit(process.exitCode ?? code);
}

if (isMainThread) process.on('exit', end);

/**
 * Loaded into every test process: the process ends after its last work without releasing what it still holds. Releasing takes time,
 * and Node sometimes waits for a resource without end.
 */
import { isMainThread } from 'node:worker_threads';

/** Whether there was an error that no handler expected. */
let failed = false;

function end(code: number): void {
  // Node writes such an error after the event.
  if (failed) return;
  for (const listener of process.listeners('exit'))
    if (listener !== end) Reflect.apply(listener, process, [code]);
  process.exit(process.exitCode ?? code);
}

if (isMainThread) {
  process.on('exit', end);
  process.on('uncaughtExceptionMonitor', () => {
    failed = true;
  });
}

import { keepProcessAlive } from '@orch/machinery';
import { processIo } from './process-io.ts';
import { runOrchctl } from './run-orchctl.ts';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    stop.abort(new Error(`received ${name}`));
    // The second one ends the process at once, as without a handler.
  });
using _alive = keepProcessAlive();
process.exitCode = await runOrchctl(process.argv.slice(2), processIo(process), stop.signal);
// A read of the input that has not completed would keep the process running.
process.stdin.destroy();

import { keepProcessAlive } from '@orch/machinery/env';
import { processIo } from './process-io.ts';
import { runOrchctl } from './run-orchctl.ts';

void main();

async function main(): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      stop.abort(new Error(`received ${name}`));
      // The second one ends the process at once, as without a handler.
    });
  using _alive = keepProcessAlive();
  const io = processIo(process);
  process.exitCode = await runOrchctl(process.argv.slice(2), io, stop.signal);
  io.releaseInput();
  // Nothing is left to do: the runtime does not wait for its connections to close, which a short command notices.
  if (io.isWritten) process.exit();
}

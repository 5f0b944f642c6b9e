/**
 * A process that runs servers for tests, several at a time, as long as its parent lives. A server in it starts in a quarter of the time
 * of a process, since its code is loaded and compiled.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Announce, addressesText, apiServerProgram, embeddedWorkerUrl } from '@orch/apiserver';
import { upProgram } from '@orch/orch/up-program';
import { type CommonFlags, type Program, readRequest } from '@orch/program';
import { SharedWriterThread } from '@orch/storage/embedded';
import type { HostMessage, Order, Report, StartOrder } from './messages.ts';

const sharedWriter = new SharedWriterThread(embeddedWorkerUrl().workerUrl);
const stops = new Map<number, AbortController>();

function send(report: Report): void {
  const { user, system } = process.cpuUsage();
  const message: HostMessage = { report, cpuSeconds: (user + system) / 1e6 };
  process.send?.(message);
}

async function runCommand<Table extends CommonFlags>(
  program: Program<Table>,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const request = readRequest(program, argv);
  if (request.kind !== 'run') throw new Error(`a host does not run ${argv.join(' ')}`);
  await program.run(request.values, request.command, signal);
}

interface OutputFile extends Disposable {
  readonly write: (text: string) => void;
}

/** Written at once, so that a test that has seen an effect finds the line about it. Lines after the end of the server are dropped. */
function outputFile(path: string): OutputFile {
  const file = openSync(path, 'a');
  let isOpen = true;
  return {
    write(text) {
      if (isOpen) writeSync(file, text);
    },
    [Symbol.dispose]() {
      isOpen = false;
      closeSync(file);
    },
  };
}

async function runServer({ server, program, argv, output }: StartOrder): Promise<void> {
  const stop = new AbortController();
  stops.set(server, stop);
  using file = outputFile(output);
  const { write } = file;
  const serverProcess = { write, sharedWriter };
  const announce: Announce = (running) => {
    write(addressesText(running));
    send({ server, url: running.url });
  };
  let error = '';
  try {
    if (program === 'orch')
      await runCommand(upProgram(announce, serverProcess), ['up', ...argv], stop.signal);
    else await runCommand(apiServerProgram(announce, serverProcess), argv, stop.signal);
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause);
  }
  stops.delete(server);
  send({ server, error });
}

process.on('message', (message) => {
  const order = message as Order;
  if ('stop' in order) stops.get(order.server)?.abort(new Error('the test has ended'));
  else void runServer(order);
});
process.on('disconnect', () => process.exit());

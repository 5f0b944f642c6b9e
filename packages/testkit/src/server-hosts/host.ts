/**
 * A process that runs servers for tests, several at a time, as long as its parent lives. A server in it starts in a quarter of the time
 * of a process, since its code is loaded and compiled.
 */
import { type Announce, apiServerProgram } from '@orch/apiserver';
import { upProgram } from '@orch/orch/up-program';
import { type CommonFlags, type Program, readRequest } from '@orch/program';
import type { HostMessage, Order, Report, StartOrder } from './messages.ts';

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

async function runServer({ server, program, argv }: StartOrder): Promise<void> {
  const stop = new AbortController();
  stops.set(server, stop);
  const announce: Announce = ({ url }) => send({ server, url });
  let error = '';
  try {
    if (program === 'orch') await runCommand(upProgram(announce), ['up', ...argv], stop.signal);
    else await runCommand(apiServerProgram(announce), argv, stop.signal);
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

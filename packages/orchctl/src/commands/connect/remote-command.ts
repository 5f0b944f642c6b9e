import { type CommandOutcome, type CommandStreams, podStreams } from '@orch/client';
import { buildFacts } from '@orch/program/build';
import { switchFlag, textFlag } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';
import type { Io, TextOutput } from '../../io.ts';
import type { Session } from '../../session/session.ts';
import type { Pod } from './pods.ts';

const section = 'Flags';

/** Flags of commands that exchange streams with a process. */
export const streamFlags = {
  container: textFlag({
    name: 'container',
    short: 'c',
    help: 'The container; the first one of the pod by default.',
    section,
  }),
  stdin: switchFlag({ name: 'stdin', short: 'i', help: 'Pass standard input on.', section }),
  tty: switchFlag({ name: 'tty', short: 't', help: 'Standard input is a terminal.', section }),
  quiet: switchFlag({
    name: 'quiet',
    short: 'q',
    help: 'Print only the output of the process.',
    section,
  }),
} as const;

/** The streams of pods over the connection of a session. */
export const streamsOf = ({ settings, names }: Session, { env }: Io) =>
  podStreams({ settings, names, env, userAgent: `orchctl/${buildFacts().version}` });

/** The streams of this program for a process in a container. Restores the terminal at its disposal. */
export function localStreams(
  { stdin, tty }: { readonly stdin: boolean; readonly tty: boolean },
  io: Io,
): CommandStreams & Disposable {
  const { terminal, out, err } = io;
  if (tty && stdin && terminal === undefined)
    err.write('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  const isRaw = tty && stdin && terminal !== undefined;
  if (isRaw) terminal.setRaw(true);
  return {
    ...(stdin && { input: io.input }),
    hasTerminal: tty && (!stdin || terminal !== undefined),
    ...(isRaw && { onResize: terminal.onResize }),
    out: (data) => writeAll(out, data),
    err: (data) => writeAll(err, data),
    [Symbol.dispose]() {
      if (isRaw) terminal.setRaw(false);
    },
  };
}

export function writeAll(output: TextOutput, data: Uint8Array): Promise<void> {
  output.write(data);
  return output.drained();
}

/** The exit status of this program for how a command ended. Throws a `CommandError` for one that could not be run. */
export function exitStatusOf(outcome: CommandOutcome, { err }: Io): number {
  if (outcome.exitCode === undefined) throw new CommandError(outcome.message);
  if (outcome.exitCode !== 0) err.write(`command terminated with exit code ${outcome.exitCode}\n`);
  return outcome.exitCode;
}

/** Throws a `CommandError` for a pod whose processes have ended. */
export function checkIsActive(verb: string, { status }: Pod): void {
  const { phase = '' } = status ?? {};
  if (phase === 'Succeeded' || phase === 'Failed')
    throw new CommandError(`cannot ${verb} a container in a completed pod; current phase is ${phase}`);
}

export const podName = ({ metadata }: Pod) => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name ?? '',
});

import { UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { containerOf } from './containers.ts';
import { podOf, podTimeoutFlag } from './pods.ts';
import {
  checkIsActive,
  exitStatusOf,
  localStreams,
  podName,
  streamFlags,
  streamsOf,
} from './remote-command.ts';

export const exec = command({
  usage: 'exec (POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]',
  about:
    'Runs a command in a container, with its output on standard output and standard error. The exit status is that of the command.\n\nWith a workload or a service, a ready one of its pods is chosen. The terminal is in raw mode with -i and -t if standard input is a terminal.',
  examples: [
    { comment: 'One command', line: 'orchctl exec web -- date' },
    { comment: 'A shell in a container', line: 'orchctl exec -it web -c main -- sh' },
    { comment: 'In a pod of a deployment', line: 'orchctl exec deployment/web -- date' },
  ],
  flags: { ...streamFlags, ...podTimeoutFlag(60_000) },
  async run({ flags, words, wordsBeforeDash = 1, io, signal, ...invocation }) {
    const [target] = words;
    const argv = words.slice(wordsBeforeDash);
    if (target === undefined || wordsBeforeDash === 0)
      throw new UsageError('pod, type/name must be specified before --');
    if (wordsBeforeDash > 1)
      throw new UsageError(
        'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead',
      );
    if (argv.length === 0) throw new UsageError('you must specify at least one command for the container');
    const session = await invocation.session();
    const wait = { ms: flags.podRunningTimeoutMs, io };
    const pod = await podOf(target, { session, signal, wait });
    checkIsActive('exec into', pod);
    const container = containerOf(pod, flags.container, { err: io.err, names: session.names });
    using streams = localStreams(flags, io);
    const outcome = await streamsOf(session, io).exec(
      podName(pod),
      { ...streams, command: argv, container },
      signal,
    );
    return exitStatusOf(outcome, io);
  },
});

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

export const attach = command({
  usage: 'attach (POD | TYPE/NAME) [-c CONTAINER] [flags]',
  about:
    'Connects to the main process of a container until it ends or this program is interrupted. Without -i, only output is received.',
  examples: [
    { comment: 'The output of a pod', line: 'orchctl attach web' },
    { comment: 'With input and a terminal', line: 'orchctl attach -it web -c main' },
  ],
  flags: { ...streamFlags, ...podTimeoutFlag(60_000) },
  async run({ flags, words, io, signal, ...invocation }) {
    const [target, ...more] = words;
    if (target === undefined) throw new UsageError('POD, TYPE/NAME, or TYPE NAME must be specified');
    if (more.length > 1) throw new UsageError('expected POD, TYPE/NAME, or TYPE NAME');
    const session = await invocation.session();
    const wait = { ms: flags.podRunningTimeoutMs, io };
    const pod = await podOf(words.join('/'), { session, signal, wait });
    checkIsActive('attach to', pod);
    const container = containerOf(pod, flags.container, { err: io.err, names: session.names });
    using streams = localStreams(flags, io);
    if (!flags.quiet && flags.stdin) io.err.write("If you don't see a command prompt, try pressing enter.\n");
    return exitStatusOf(
      await streamsOf(session, io).attach(podName(pod), { ...streams, container }, signal),
      io,
    );
  },
});

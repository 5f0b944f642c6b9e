import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CopyError, copyFromPod, copyToPod } from '@orch/client';
import { switchFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import type { Session } from '../../session/session.ts';
import { containerOf } from '../connect/containers.ts';
import { podOf } from '../connect/pods.ts';
import { exitStatusOf, podName, streamFlags, streamsOf, writeAll } from '../connect/remote-command.ts';
import { type FileLocation, parseLocation } from './file-location.ts';

const section = 'Flags';

export const cp = command({
  usage: 'cp SOURCE TARGET [flags], one of them [NAMESPACE/]POD:PATH',
  about:
    'Copies a file or folder to or from a container, which must have the program tar.\n\nThe container is not trusted: nothing outside of the target is written, and links are skipped with a warning.',
  examples: [
    { comment: 'To a pod', line: 'orchctl cp notes.txt web:/tmp/notes.txt' },
    {
      comment: 'From a container of a pod in another namespace',
      line: 'orchctl cp shop/web:/var/log/app logs -c main',
    },
  ],
  flags: {
    container: streamFlags.container,
    noPreserve: switchFlag({
      name: 'no-preserve',
      help: 'Do not keep modes and owners of files in the container.',
      section,
    }),
    retries: wholeFlag(
      {
        name: 'retries',
        help: 'How often a copy from a container is continued after a lost connection; -1 is without limit.',
        section,
      },
      0,
      { least: -1, most: 2 ** 31 },
    ),
  },
  async run({ flags, words, io, session: open, signal }) {
    const [from, to, ...more] = words;
    if (from === undefined || to === undefined || more.length > 0)
      throw new UsageError('source and destination are required');
    const [source, target] = [parseLocation(from), parseLocation(to)];
    if (source.kind === target.kind)
      throw new UsageError(
        `one of src or dest must be a ${source.kind === 'local' ? 'remote' : 'local'} file specification`,
      );
    const remote = source.kind === 'remote' ? source : (target as RemoteLocation);
    if (source.kind === 'local' && !existsSync(resolve(io.folder, source.path)))
      throw new CommandError(`${source.path} doesn't exist in local filesystem`);
    const { streams, ...where } = await connect(remote, {
      session: await open(),
      io,
      signal,
      container: flags.container,
    });
    const reports = {
      ...where,
      onMessage: (data: Buffer) => writeAll(io.err, data),
      onSkip: (text: string) => void io.err.write(`warning: ${text}\n`),
      onResume: (bytes: number, attempt: number) =>
        void io.err.write(`Resuming copy at ${bytes} bytes, retry ${attempt}/${flags.retries}\n`),
    };
    const local = resolve(io.folder, source.kind === 'local' ? source.path : target.path);
    const retries = flags.retries < 0 ? Number.POSITIVE_INFINITY : flags.retries;
    const preserve = !flags.noPreserve;
    const copying =
      source.kind === 'local'
        ? copyToPod(streams, { ...reports, source: local, target: remote.path, preserve }, signal)
        : copyFromPod(streams, { ...reports, source: source.path, target: local, retries }, signal);
    return await statusOfCopy(copying, io);
  },
});

type RemoteLocation = Extract<FileLocation, { kind: 'remote' }>;

interface Connection {
  readonly session: Session;
  readonly io: Io;
  readonly signal: AbortSignal;
  readonly container: string;
}

/** The streams of the pod, and its container. */
async function connect({ namespace, pod: name }: RemoteLocation, connection: Connection) {
  const { session: own, io, signal, container } = connection;
  const session = namespace === undefined ? own : { ...own, namespace };
  const pod = await podOf(name, { session, signal });
  return {
    streams: streamsOf(session, io),
    pod: podName(pod),
    container: containerOf(pod, container, { err: io.err, names: session.names }),
  };
}

/** The exit status for a copy: that of a program in the container, which has printed why, if it failed. */
async function statusOfCopy(copying: Promise<void>, io: Io): Promise<number> {
  try {
    await copying;
    return 0;
  } catch (error) {
    if (!(error instanceof CopyError) || error.exitCode === undefined) throw error;
    return exitStatusOf({ exitCode: error.exitCode }, io);
  }
}

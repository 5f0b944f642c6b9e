import { existsSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { TransportError } from '@orch/client';
import { switchFlag, UsageError, wholeFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import type { Session } from '../../session/session.ts';
import { TarError } from '../../tar/tar-header.ts';
import { containerOf } from '../connect/containers.ts';
import { podOf } from '../connect/pods.ts';
import { exitStatusOf, podName, streamFlags, streamsOf, writeAll } from '../connect/remote-command.ts';
import { type FileLocation, parseLocation } from './file-location.ts';
import { packed } from './pack.ts';
import { unpacker } from './unpack.ts';

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
    const container = await connect(remote, {
      session: await open(),
      io,
      signal,
      container: flags.container,
    });
    return source.kind === 'remote'
      ? copyFrom(
          container,
          { source: source.path, target: resolve(io.folder, target.path), retries: flags.retries },
          io,
        )
      : copyTo(
          container,
          { source: resolve(io.folder, source.path), target: remote.path, noPreserve: flags.noPreserve },
          io,
        );
  },
});

type RemoteLocation = Extract<FileLocation, { kind: 'remote' }>;

/** Runs a command in the container. */
type Run = (
  command: readonly string[],
  streams: {
    readonly input?: AsyncIterable<Uint8Array>;
    out(data: Buffer): Promise<void>;
    err(data: Buffer): Promise<void>;
  },
) => ReturnType<ReturnType<typeof streamsOf>['exec']>;

async function connect(
  { namespace, pod: name }: RemoteLocation,
  {
    session: own,
    io,
    signal,
    container: given,
  }: {
    readonly session: Session;
    readonly io: Io;
    readonly signal: AbortSignal;
    readonly container: string;
  },
): Promise<Run> {
  const session = namespace === undefined ? own : { ...own, namespace };
  const pod = await podOf(name, { session, signal });
  const container = containerOf(pod, given, { err: io.err, names: session.names });
  const streams = streamsOf(session, io);
  return (argv, ends) =>
    streams.exec(podName(pod), { ...ends, hasTerminal: false, command: argv, container }, signal);
}

/** A path that no program reads as a flag. */
const asOperand = (path: string): string => (path.startsWith('-') ? `./${path}` : path);

async function copyTo(
  run: Run,
  {
    source,
    target,
    noPreserve,
  }: { readonly source: string; readonly target: string; readonly noPreserve: boolean },
  io: Io,
): Promise<number> {
  const nothing = async (): Promise<void> => {};
  const { exitCode } = await run(['test', '-d', asOperand(target)], { out: nothing, err: nothing });
  const path = posix.normalize(exitCode === 0 ? posix.join(target, posix.basename(source)) : target);
  const preserve = noPreserve ? ['--no-same-permissions', '--no-same-owner'] : [];
  const folder = asOperand(posix.dirname(path));
  const input = packed(source, posix.basename(path));
  let failure: unknown;
  const outcome = await run(['tar', ...preserve, '-xmf', '-', '-C', folder], {
    input: reporting(input, (error) => (failure = error)),
    out: (data) => writeAll(io.out, data),
    err: (data) => writeAll(io.err, data),
  });
  if (failure !== undefined) throw failure;
  return exitStatusOf(outcome, io);
}

/** The chunks of an input. A failure to read it is reported, because the command sees the end only. */
async function* reporting(
  input: AsyncIterable<Uint8Array>,
  report: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    report(error);
    throw error;
  }
}

async function copyFrom(
  run: Run,
  { source, target, retries }: { readonly source: string; readonly target: string; readonly retries: number },
  io: Io,
): Promise<number> {
  const path = asOperand(source);
  const warn = (text: string): void => io.err.write(`warning: ${text}\n`);
  const reader = unpacker({ source: posix.normalize(path), target, warn });
  let [received, attempts] = [0, 0];
  let failure: unknown;
  for (;;) {
    try {
      const outcome = await run(received === 0 ? ['tar', 'cf', '-', path] : remainder(path, received), {
        out: async (data) => {
          received += data.length;
          try {
            reader.push(data);
          } catch (error) {
            failure = error;
            throw error;
          }
        },
        err: (data) => writeAll(io.err, data),
      });
      // The command may have reported its result before the rejected data.
      if (failure !== undefined) throw failure;
      const status = exitStatusOf(outcome, io);
      if (status === 0) reader.end();
      return status;
    } catch (error) {
      if (error instanceof TarError)
        throw new CommandError(`tar contents corrupted: ${error.message}`, { cause: error });
      if (!(error instanceof TransportError) || (retries >= 0 && attempts >= retries)) throw error;
      attempts += 1;
      io.err.write(`Resuming copy at ${received} bytes, retry ${attempts}/${retries}\n`);
    }
  }
}

/** The archive after the bytes that were received. The shell in the container gets the path as an argument. */
const remainder = (path: string, received: number): readonly string[] => [
  ...['sh', '-c', 'tar cf - "$1" | tail -c "+$2"', 'sh'],
  ...[path, String(received + 1)],
];

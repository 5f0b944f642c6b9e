import { posix } from 'node:path';
import { messageOf } from '@orch/machinery';
import type { PodStreams } from '../streams/pod-streams.ts';
import { asOperand, ContainerPrograms, type CopyOptions } from './container-programs.ts';
import { CopyError } from './copy-error.ts';
import { LocalFailure } from './local-failure.ts';
import { packed } from './pack.ts';

/** A copy of this machine to a container. */
export interface CopyToPodOptions extends CopyOptions {
  /** A file or folder of this machine. */
  readonly source: string;
  /** The path in the container. In a folder that exists, the copy has the name of the source. */
  readonly target: string;
  /** Whether files keep their modes; they do when absent. */
  readonly preserve?: boolean;
}

/**
 * Copies a file or folder of this machine to a container, which must have the programs `tar` and `test`, in constant memory. Links are
 * copied as links. Rejects with a `CopyError` for a failure of a file or a program, and as `PodStreams` for one of the connection.
 */
export async function copyToPod(
  streams: Pick<PodStreams, 'exec'>,
  options: CopyToPodOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { source, target, preserve = true, onMessage } = options;
  const programs = new ContainerPrograms(streams, options);
  const isFolder = await programs.isFolder(asOperand(target), signal);
  const path = posix.normalize(isFolder ? posix.join(target, posix.basename(source)) : target);
  const failure = new LocalFailure();
  const input = guarded(packed(source, posix.basename(path)), failure);
  const flags = preserve ? [] : ['--no-same-permissions', '--no-same-owner'];
  const command = ['tar', ...flags, '-xmf', '-', '-C', asOperand(posix.dirname(path))];
  const out = onMessage ?? (async () => {});
  await failure.decide(programs.run({ command, input, out }, signal));
}

/** The chunks of an input, whose failure is kept. */
async function* guarded(input: AsyncIterable<Uint8Array>, failure: LocalFailure): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    failure.raise(
      error instanceof CopyError
        ? error
        : new CopyError(`the source cannot be read: ${messageOf(error)}`, { cause: error }),
    );
  }
}

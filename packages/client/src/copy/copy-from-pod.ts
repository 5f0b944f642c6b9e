import { posix, resolve } from 'node:path';
import type { PodStreams } from '../streams/pod-streams.ts';
import { isTransportError } from '../transport/transport.ts';
import { asOperand, ContainerPrograms, type CopyOptions } from './container-programs.ts';
import { CopyError } from './copy-error.ts';
import { LocalFailure } from './local-failure.ts';
import { TarError } from './tar/tar-header.ts';
import type { TarReader } from './tar/tar-reader.ts';
import { unpacker } from './unpack.ts';

/** A copy of a container to this machine. */
export interface CopyFromPodOptions extends CopyOptions {
  /** A file or folder in the container. */
  readonly source: string;
  /** The path of the copy on this machine. */
  readonly target: string;
  /** The number of times that the copy is continued after a lost connection, with the programs `sh` and `tail`; never when absent. */
  readonly retries?: number;
  /** Called when the copy is continued after so many bytes of the archive. */
  readonly onResume?: ((receivedBytes: number, attempt: number) => void) | undefined;
}

/**
 * Copies a file or folder of a container, which must have the program `tar`, to this machine, in constant memory. The container is not
 * trusted: nothing outside of the target is written, and links and special files are skipped. Rejects with a `CopyError` for a failure
 * of a file, of the archive or of a program, and as `PodStreams` for one of the connection; the files that were received stay.
 */
export async function copyFromPod(
  streams: Pick<PodStreams, 'exec'>,
  options: CopyFromPodOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const { retries = 0, onResume, onSkip: warn = () => undefined } = options;
  const source = asOperand(options.source);
  const reader = unpacker({ source: posix.normalize(source), target: resolve(options.target), warn });
  const transfer = new Transfer(new ContainerPrograms(streams, options), source, reader);
  for (let attempt = 1; ; attempt++) {
    try {
      return await transfer.run(signal);
    } catch (error) {
      if (error instanceof TarError)
        throw new CopyError(`tar contents corrupted: ${error.message}`, { cause: error });
      if (!isTransportError(error) || attempt > retries) throw error;
      onResume?.(transfer.received, attempt);
    }
  }
}

/** One archive, which may arrive over several connections. */
class Transfer {
  readonly #programs: ContainerPrograms;
  readonly #source: string;
  readonly #reader: TarReader;
  #received = 0;

  constructor(programs: ContainerPrograms, source: string, reader: TarReader) {
    this.#programs = programs;
    this.#source = source;
    this.#reader = reader;
  }

  get received(): number {
    return this.#received;
  }

  /** Receives what was not received yet. */
  async run(signal: AbortSignal): Promise<void> {
    const failure = new LocalFailure();
    const out = async (data: Buffer): Promise<void> => {
      this.#received += data.length;
      try {
        this.#reader.push(data);
      } catch (error) {
        failure.raise(error);
      }
    };
    await failure.decide(this.#programs.run({ command: this.#command(), out }, signal));
    this.#reader.end();
  }

  /** The shell in the container gets the path as an argument. */
  #command(): readonly string[] {
    if (this.#received === 0) return ['tar', 'cf', '-', this.#source];
    const script = 'tar cf - "$1" | tail -c "+$2"';
    return ['sh', '-c', script, 'sh', this.#source, String(this.#received + 1)];
  }
}

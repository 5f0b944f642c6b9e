import type { PodName, PodStreams } from '../streams/pod-streams.ts';
import { CopyError } from './copy-error.ts';

/** The place to copy to or from, and the callbacks of the copy. */
export interface CopyOptions {
  readonly pod: PodName;
  /** Chosen by the server when absent. */
  readonly container?: string | undefined;
  /** Called for each member of an archive that is not written. */
  readonly onSkip?: ((text: string) => void) | undefined;
  /** Receives the messages of the programs in the container; when absent, their end is part of the error. */
  readonly onMessage?: ((data: Buffer) => Promise<void>) | undefined;
}

/** A command in a container, with the ends of its streams. */
export interface ContainerCommand {
  readonly command: readonly string[];
  readonly input?: AsyncIterable<Uint8Array>;
  out(data: Buffer): Promise<void>;
}

/** The end of the messages of a program, for an error. */
const MAX_MESSAGE_BYTES = 2048;

/** Runs programs of one container. */
export class ContainerPrograms {
  readonly #exec: PodStreams['exec'];
  readonly #options: CopyOptions;

  constructor({ exec }: Pick<PodStreams, 'exec'>, options: CopyOptions) {
    this.#exec = exec;
    this.#options = options;
  }

  /** Runs a command to its end. Rejects with a CopyError when it cannot be run or fails. */
  async run(command: ContainerCommand, signal: AbortSignal): Promise<void> {
    let messages = Buffer.alloc(0);
    const keep = async (data: Buffer): Promise<void> => {
      messages = Buffer.concat([messages, data]).subarray(-MAX_MESSAGE_BYTES);
    };
    const exitCode = await this.#exitCodeOf(command, this.#options.onMessage ?? keep, signal);
    if (exitCode === 0) return;
    const text = messages.toString('utf8').trim();
    const [program = ''] = command.command;
    const problem = `${program} in the container ended with exit code ${exitCode}`;
    throw new CopyError(text === '' ? problem : `${problem}: ${text}`, { exitCode });
  }

  /** Whether a path is a folder. */
  async isFolder(path: string, signal: AbortSignal): Promise<boolean> {
    const nothing = async (): Promise<void> => {};
    return (await this.#exitCodeOf({ command: ['test', '-d', path], out: nothing }, nothing, signal)) === 0;
  }

  async #exitCodeOf(
    command: ContainerCommand,
    err: (data: Buffer) => Promise<void>,
    signal: AbortSignal,
  ): Promise<number> {
    const { pod, container } = this.#options;
    const outcome = await this.#exec(pod, { ...command, container, err, hasTerminal: false }, signal);
    if (outcome.exitCode === undefined) throw new CopyError(outcome.message);
    return outcome.exitCode;
  }
}

/** A path that no program reads as a flag. */
export const asOperand = (path: string): string => (path.startsWith('-') ? `./${path}` : path);

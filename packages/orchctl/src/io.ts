import type { Env } from '@orch/machinery';

/** A stream that text is written to. */
export interface TextOutput {
  /** Columns of the terminal; undefined when the stream is not a terminal. Colors and widths depend on it. */
  readonly columns: number | undefined;
  write(text: string): void;
  /** Resolves once the buffer of the stream has room: for output of unbounded length. */
  drained(): Promise<void>;
}

/** The process as commands see it. Tests run commands in process with their own. */
export interface Io {
  readonly out: TextOutput;
  readonly err: TextOutput;
  readonly input: AsyncIterable<Uint8Array>;
  readonly isInputTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The current folder, which relative paths of arguments refer to. */
  readonly folder: string;
  readonly homeFolder: string;
  readonly env: Env;
}

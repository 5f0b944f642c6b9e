import type { Env } from '@orch/machinery';

/** A stream that text is written to. */
export interface TextOutput {
  /** Columns of the terminal; undefined when the stream is not a terminal. Colors and widths depend on it. */
  readonly columns: number | undefined;
  write(text: string | Uint8Array): void;
  /** Resolves once the buffer of the stream has room: for output of unbounded length. */
  drained(): Promise<void>;
}

/** The terminal that the user types in. */
export interface Terminal {
  /** Calls the listener with the size now and after each change. Returns the function that removes it. */
  onResize(listener: (size: { readonly columns: number; readonly rows: number }) => void): () => void;
  /** Reports whether keys are passed on as they are typed, such as Ctrl-C. */
  setRaw(isRaw: boolean): void;
}

/** The process as commands see it. Tests run commands in process with their own. */
export interface Io {
  readonly out: TextOutput;
  readonly err: TextOutput;
  readonly input: AsyncIterable<Uint8Array>;
  readonly isInputTerminal: boolean;
  /** The terminal of standard input, for programs that run in it; undefined when there is none. */
  readonly terminal?: Terminal | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The current folder, which relative paths of arguments refer to. */
  readonly folder: string;
  readonly homeFolder: string;
  readonly env: Env;
}

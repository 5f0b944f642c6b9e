/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The local ends of the streams of a command. */
export interface CommandStreams {
  /** Absent for a command without input. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  /** The command has a terminal: its error output is then part of its output. */
  readonly hasTerminal: boolean;
  /** Calls the listener with the size now and after each change. Returns the function that removes it. */
  readonly onResize?: ((listener: (size: TerminalSize) => void) => () => void) | undefined;
  /** Further output is received when it resolves. */
  out(data: Buffer): Promise<void>;
  err(data: Buffer): Promise<void>;
}

/** The outcome of a command; `message`: it could not be run. */
export type CommandOutcome =
  | { readonly exitCode: number }
  | { readonly exitCode: undefined; readonly message: string };

/** The streams of one command, however they travel. */
export interface CommandStreams {
  /** Called with what arrives, and with undefined at its end. */
  onInput: ((data: Buffer | undefined) => void) | undefined;
  onResize: ((size: { readonly Width: number; readonly Height: number }) => void) | undefined;
  out(data: Buffer): void;
  err(data: Buffer): void;
  /** Reports how it ended and closes all streams. */
  finish(status: object): void;
}

const success = { metadata: {}, status: 'Success' };

const exited = (code: number): object =>
  code === 0
    ? success
    : {
        metadata: {},
        status: 'Failure',
        message: `command terminated with non-zero exit code: exit status ${code}`,
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
      };

/** Runs one of the few commands that containers of this agent have: `echo`, `cat`, `exit`, `complain`, `size`, `fill`. */
export function runCommand(argv: readonly string[], streams: CommandStreams): void {
  const [name = '', ...args] = argv;
  switch (name) {
    case 'echo':
      streams.out(Buffer.from(`${args.join(' ')}\n`));
      streams.finish(success);
      return;
    case 'cat':
      streams.onInput = (data) => (data === undefined ? streams.finish(success) : streams.out(data));
      return;
    case 'exit':
      streams.finish(exited(Number(args[0])));
      return;
    case 'complain':
      streams.err(Buffer.from(`${args.join(' ')}\n`));
      streams.finish(success);
      return;
    case 'size':
      streams.onResize = ({ Width, Height }) => {
        streams.out(Buffer.from(`${Width}x${Height}\n`));
        streams.finish(success);
      };
      return;
    case 'fill':
      for (let left = Number(args[0]); left > 0; left -= 65_536)
        streams.out(Buffer.alloc(Math.min(left, 65_536), 'x'));
      streams.finish(success);
      return;
    default:
      streams.finish({ metadata: {}, status: 'Failure', message: `no such command: ${name}`, code: 500 });
  }
}

import { homedir } from 'node:os';
import { systemEnv } from '@orch/machinery';
import type { Io, Terminal, TextOutput } from './io.ts';

/** The input and output of this process. */
export function processIo(process: NodeJS.Process): Io {
  return {
    out: streamOutput(process.stdout),
    err: streamOutput(process.stderr),
    input: process.stdin,
    isInputTerminal: process.stdin.isTTY,
    terminal: process.stdin.isTTY ? terminalOf(process) : undefined,
    environment: process.env,
    folder: process.cwd(),
    homeFolder: homedir(),
    env: systemEnv(),
  };
}

function streamOutput(stream: NodeJS.WriteStream): TextOutput {
  let hasRoom = true;
  let isClosed = false;
  // The reader may close its end early, such as `head`. Commands then end at their next write.
  stream.on('error', () => {
    isClosed = true;
  });
  return {
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    write(text) {
      if (!isClosed) hasRoom = stream.write(text);
    },
    drained: () =>
      hasRoom || isClosed
        ? Promise.resolve()
        : new Promise((resolve) => {
            stream.once('drain', resolve).once('close', resolve);
          }),
  };
}

function terminalOf({ stdin, stdout }: NodeJS.Process): Terminal {
  return {
    onResize(listener) {
      const report = (): void => {
        if (stdout.isTTY) listener({ columns: stdout.columns, rows: stdout.rows });
      };
      stdout.on('resize', report);
      report();
      return () => void stdout.off('resize', report);
    },
    setRaw: (isRaw) => void stdin.setRawMode(isRaw),
  };
}

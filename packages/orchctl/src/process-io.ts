import { homedir } from 'node:os';
import { systemEnv } from '@orch/machinery/env';
import { DescriptorOutput, isTerminal } from './descriptor-output.ts';
import type { Io, Terminal } from './io.ts';

/** The input and output of this process, which can be released. */
export interface ProcessIo extends Io {
  /** Ends a read of the input that has not completed, which would keep the process running. */
  releaseInput(): void;
  /** Whether all output was written, so that the end of the process loses nothing. */
  readonly isWritten: boolean;
}

/** The input and output of this process. Streams are opened when they are used: each costs a short command milliseconds. */
export function processIo(process: NodeJS.Process): ProcessIo {
  let isInputUsed = false;
  const stdin = (): NodeJS.Process['stdin'] => {
    isInputUsed = true;
    return process.stdin;
  };
  const out = new DescriptorOutput(1, () => process.stdout);
  const err = new DescriptorOutput(2, () => process.stderr);
  return {
    out,
    err,
    input: { [Symbol.asyncIterator]: () => stdin()[Symbol.asyncIterator]() },
    get isInputTerminal() {
      return isTerminal(0);
    },
    get terminal() {
      return isTerminal(0) ? terminalOf(stdin(), process.stdout) : undefined;
    },
    environment: process.env,
    folder: process.cwd(),
    get homeFolder() {
      return homedir();
    },
    env: systemEnv(),
    releaseInput() {
      if (isInputUsed) process.stdin.destroy();
    },
    get isWritten() {
      return out.isWritten && err.isWritten;
    },
  };
}

function terminalOf(stdin: NodeJS.Process['stdin'], stdout: NodeJS.Process['stdout']): Terminal {
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

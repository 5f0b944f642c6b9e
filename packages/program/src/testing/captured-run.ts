import type { CommonFlags } from '../flags/index.ts';
import { type Program, runProgram } from '../program.ts';

/** The end of a program, and everything that it printed. */
export interface CapturedRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program in this process to its end, for command lines with which it does not start. */
export async function capturedRun<Table extends CommonFlags>(
  program: Program<Table>,
  argv: readonly string[],
): Promise<CapturedRun> {
  const text = { out: '', err: '' };
  const streamOf = (name: keyof typeof text) => ({
    write(piece: string): void {
      text[name] += piece;
    },
  });
  const code = await runProgram(program, argv, { stdout: streamOf('out'), stderr: streamOf('err') });
  return { code, ...text };
}

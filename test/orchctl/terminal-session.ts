import assert from 'node:assert/strict';
import { join } from 'node:path';
import { run } from '@orch/testkit';
import type { BuiltProgram } from './programs.ts';

export interface TerminalSession {
  readonly columns: number;
  readonly rows?: number;
  /** The keys to type once a string was shown. */
  readonly keys?: readonly (readonly [string, string])[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The run of a program in a pseudo terminal. */
export interface TerminalResult {
  /** Everything that was written to the terminal, with `\r\n` for the end of a line. */
  readonly out: string;
  readonly status: number | null;
  /** Whether the terminal has the modes that it had at the start. */
  readonly isRestored: boolean;
}

const python = run('python3', ['-c', 'import pty']).then(
  ({ code }) => code === 0,
  () => false,
);

/** The reason for skipping tests in a pseudo terminal; false when there is one. */
export const noTerminal = async (): Promise<string | false> =>
  (await python) ? false : 'no python3 with pseudo terminals on this machine';

/** Runs a built `orchctl` in a pseudo terminal. */
export const inTerminal = (
  program: BuiltProgram,
  argv: readonly string[],
  session: TerminalSession,
): Promise<TerminalResult> => programInTerminal([...program.argv, ...argv], session);

/** Runs a program, by its path and arguments, in a pseudo terminal. */
export async function programInTerminal(
  argv: readonly string[],
  session: TerminalSession,
): Promise<TerminalResult> {
  const { columns, rows = 50, keys = [], env = {} } = session;
  const task = {
    ...{ columns, rows, keys },
    argv,
    env: { PATH: '/usr/bin:/bin', TERM: 'xterm', LANG: 'C.UTF-8', ...env },
  };
  const script = join(import.meta.dirname, 'terminal.py');
  const { code, stdout, stderr } = await run('python3', [script], { input: JSON.stringify(task) });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as TerminalResult;
}

/** The text of a session without colors and other sequences of terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of terminals begin with one.
export const plain = (text: string): string => text.replaceAll(/\u001b\[[?0-9;]*[a-zA-Z]/g, '');

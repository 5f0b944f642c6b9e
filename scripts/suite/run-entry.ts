import { globSync, readFileSync } from 'node:fs';
import { run } from 'node:test';
import { readLines } from './process-lines.ts';
import type { RunEvent } from './reporter.ts';

export interface EntryOptions {
  /** After this time Node fails the tests of the process and asks it to end. */
  readonly timeoutMs: number;
  /** After this time the process is killed. */
  readonly killMs: number;
  /** The options of Node. */
  readonly execArgv: readonly string[];
  /** Its abort kills the process. */
  readonly signal: AbortSignal;
}

/** How long a process may take to end once it is killed, as a share of the time until then: 53 s. */
const KILLED_SHARE = 1 / 6;

/**
 * Runs the process of an entry file and writes its events. Node asks a process to end at its timeout; one that waits for a hook that never
 * ends, or runs a loop without an end, does not, and is killed. Rejects when the process is still there after that.
 */
export async function runEntry(
  entry: string,
  { timeoutMs, killMs, execArgv, signal }: EntryOptions,
  write: (event: RunEvent) => void,
): Promise<void> {
  let pid: number | undefined;
  const events = async (): Promise<void> => {
    for await (const event of run({ files: [entry], timeout: timeoutMs, execArgv: [...execArgv] })) {
      if (event.type === 'test:stderr') pid ??= readLines(event.data.message).pid;
      write(event);
    }
  };
  const { promise: endless, resolve } = Promise.withResolvers<void>();
  const giveUp = (): void => {
    write({ type: 'unended', file: entry });
    resolve();
  };
  const kill = (): void => {
    if (pid !== undefined) killProcess(pid);
    timer = setTimeout(giveUp, killMs * KILLED_SHARE);
  };
  let timer = setTimeout(() => {
    const message = `the process did not end ${killMs} ms after its start\n`;
    write({ type: 'test:stderr', data: { file: entry, message } });
    kill();
  }, killMs);
  const killBySignal = (): void => {
    clearTimeout(timer);
    kill();
  };
  signal.addEventListener('abort', killBySignal);
  try {
    await Promise.race([events(), endless]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', killBySignal);
  }
}

/** Kills a process with the programs that it runs: they would go on beside the other tests, and can have its output. */
function killProcess(pid: number): void {
  const programs = programsOf(pid);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
  for (const program of programs) killProcess(program);
}

/** The processes that a process has started. Only Linux says which. */
function programsOf(pid: number): readonly number[] {
  try {
    const lists = globSync(`/proc/${pid}/task/*/children`).map((file) => readFileSync(file, 'utf8'));
    return lists.join(' ').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

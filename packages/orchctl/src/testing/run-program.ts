import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { CommandResult, CommandSurroundings } from './index.ts';

/** Runs `PROGRAM ARGV` as a process, in surroundings without a clock and a terminal. An aborted signal interrupts it. */
export async function runProgram(
  program: string,
  argv: readonly string[],
  surroundings: CommandSurroundings,
): Promise<CommandResult> {
  const { environment = {}, input = '', folder = '/', homeFolder = '/dev/null/home', signal } = surroundings;
  const child = spawn(program, argv, { cwd: folder, env: { HOME: homeFolder, ...environment } });
  const stop = (): void => void child.kill('SIGINT');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  // A program that does not read its input closes it.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [[code, ended], out, err] = await Promise.all([
    closed,
    textOf(child.stdout, surroundings.onOutput),
    textOf(child.stderr, surroundings.onErrorOutput),
  ]);
  signal?.removeEventListener('abort', stop);
  return { status: code ?? 128 + (ended === null ? 0 : constants.signals[ended]), out, err };
}

async function textOf(stream: Readable, onText: (text: string) => void = () => {}): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    onText(Buffer.concat(chunks).toString('utf8'));
  }
  return Buffer.concat(chunks).toString('utf8');
}

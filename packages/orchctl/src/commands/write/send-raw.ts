import { asBuffer } from '@orch/machinery/json';
import { textFlag, UsageError } from '@orch/program/flags';
import type { Invocation } from '../../cli/command.ts';
import { readText } from '../../files/read-files.ts';

export const rawFlag = {
  raw: textFlag({
    name: 'raw',
    help: 'Send the file as it is to this path of the server, and print the response.',
    section: 'Flags',
  }),
} as const;

/** Sends the one file of the flags to a path and prints the response. */
export async function sendRaw(
  method: 'POST' | 'PUT',
  {
    flags,
    io,
    session,
    signal,
  }: Pick<
    Invocation<{ readonly raw: string; readonly filename: readonly string[] }>,
    'flags' | 'io' | 'session' | 'signal'
  >,
): Promise<number> {
  const [file = '', ...more] = flags.filename;
  if (more.length > 0) throw new UsageError('--raw can only use a single local file or standard input');
  if (!flags.raw.startsWith('/')) throw new UsageError('--raw must be a path that begins with /');
  const body = Buffer.from(await readText(file, io));
  const headers = { accept: 'application/json, */*', 'content-type': 'application/json' };
  const { client } = await session();
  const answer = await client.rawBody({ method, target: flags.raw, headers, body }, signal);
  io.out.write(asBuffer(answer).toString('utf8'));
  return 0;
}

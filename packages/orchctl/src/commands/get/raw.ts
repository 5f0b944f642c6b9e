import { UsageError } from '@orch/program/flags';
import type { Invocation } from '../../cli/command.ts';
import type { GetFlags } from './request.ts';

/** Prints the response of a path as it is. */
export async function getRaw({ flags, words, io, session, signal }: Invocation<GetFlags>): Promise<number> {
  if (words.length > 0) throw new UsageError('arguments may not be passed when --raw is specified');
  if (!flags.raw.startsWith('/')) throw new UsageError('--raw must be a path that begins with /');
  const body = await (await session()).client.rawBody(
    { method: 'GET', target: flags.raw, headers: { accept: 'application/json, */*' } },
    signal,
  );
  io.out.write(body.toString('utf8'));
  return 0;
}

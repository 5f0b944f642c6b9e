import type { Naming } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import type { GlobalValues } from '../global-flags.ts';
import type { Io } from '../io.ts';

/** Time that a command that works without a server waits for one that is configured. */
const ANSWER_MS = 5_000;

/** The naming of the configured server; undefined without a configuration, and for a server that does not answer in time. */
export async function namingOfServer({
  globals,
  io,
  signal,
}: {
  readonly globals: GlobalValues;
  readonly io: Io;
  readonly signal: AbortSignal;
}): Promise<Naming | undefined> {
  using limit = withDeadline(signal, io.env.clock, ANSWER_MS);
  try {
    const { openSession } = await import('./open-session.ts');
    const session = await openSession(globals, io, limit.signal);
    await session.close();
    return session.names.naming;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

import { TransportError } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { reportFailure } from '../../cli/report-failure.ts';
import { CommandError } from '../../command-error.ts';
import type { Io } from '../../io.ts';

/**
 * Runs an action for each item in order. A refusal by the server is reported and the next item follows; the exit status
 * is then 1. A lost connection ends the command.
 */
export async function forEachTarget<T>(
  items: readonly T[],
  io: Pick<Io, 'err'>,
  act: (item: T) => Promise<void>,
): Promise<number> {
  let status = 0;
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (error instanceof TransportError || !(error instanceof ApiError || error instanceof CommandError))
        throw error;
      const report = reportFailure(error);
      io.err.write(`${report.text}\n`);
      status = report.exitStatus;
    }
  }
  return status;
}

import { ApiError, type Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';

const RETRY_MS = 1000;
const never = new AbortController().signal;

/** The result of the first attempt that succeeds. Rejects when the server finds the request itself wrong (400, 403 or 422). */
export async function persist<T>(clock: Clock, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof ApiError && [400, 403, 422].includes(error.status.code ?? 0)) throw error;
      await sleep(clock, RETRY_MS, never);
    }
  }
}

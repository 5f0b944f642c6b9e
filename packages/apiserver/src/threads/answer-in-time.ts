import type { Clock } from '@orch/machinery';
import { abortable, withDeadline } from '@orch/machinery/concurrency';

/** Time that a thread has to send its metrics or records. */
const ANSWER_MS = 5_000;

/**
 * The answer of a thread, or another one when the thread has ended or does not answer in time. Nothing of it stays
 * registered at the end of the thread: a server asks its threads as long as it runs.
 */
export async function answerInTime<T>(
  answer: Promise<T>,
  { ended, clock }: { readonly ended: AbortSignal; readonly clock: Clock },
  otherwise: () => T,
): Promise<T> {
  using inTime = withDeadline(ended, clock, ANSWER_MS);
  try {
    return await abortable(answer, inTime.signal);
  } catch (error) {
    if (!inTime.signal.aborted) throw error;
    return otherwise();
  }
}

import { type BackendAnswer, BackendFailure } from '@orch/connect';
import { onAbort } from '@orch/machinery';

/** An answer that is not an upgrade. */
export type PlainAnswer = Extract<BackendAnswer, { kind: 'answer' }>;

/**
 * Reads the body of an answer to its end, after which its connection is kept. Reading stops behind `limitBytes`: such a body
 * is given up with its connection. Rejects with `BackendFailure` for an interrupted answer, or with the signal's reason.
 */
export async function readAnswer(
  answer: PlainAnswer,
  limitBytes: number,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  const { body } = answer;
  const pieces: Buffer[] = [];
  const unregister = onAbort(signal, () => body.destroy());
  let size = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size > limitBytes) return pieces;
    }
    signal.throwIfAborted();
    answer.checkComplete();
    return pieces;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BackendFailure) throw error;
    throw new BackendFailure('the connection was closed before the end of its answer', { cause: error });
  } finally {
    unregister();
    answer.close();
  }
}

import { onAbort } from '@orch/machinery/concurrency';
import type { PlainAnswer, WholeAnswer } from './answer.ts';
import { brokenOff } from './body-pieces.ts';
import { brokenAnswer } from './failures.ts';

/**
 * Reads the body of an answer to its end, after which its connection is kept. Reading stops behind `limitBytes`: such a body
 * is given up with its connection. Rejects with `OutboundFailure` for an interrupted answer, or with the signal's reason.
 */
export function readAnswer(
  answer: PlainAnswer | WholeAnswer,
  limitBytes: number,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  if (answer.kind === 'whole') return Promise.resolve([answer.body]);
  if (signal.aborted) return Promise.reject(closed(answer, signal.reason));
  const { body } = answer;
  if (body.destroyed) return Promise.reject(closed(answer, brokenAnswer(brokenOff(body))));
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    let isFinished = false;
    /** Settles once: later events of the body change nothing. */
    const finish = (failure?: unknown): void => {
      if (isFinished) return;
      isFinished = true;
      unregister();
      answer.close();
      if (failure === undefined) resolve(pieces);
      else reject(failure);
    };
    const interrupted = (): void => {
      if (!isFinished) finish(brokenAnswer(brokenOff(body)));
    };
    const unregister = onAbort(signal, () => {
      finish(signal.reason);
      body.destroy();
    });
    body.on('data', (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size <= limitBytes) return;
      finish();
      body.destroy();
    });
    body.once('end', () => finish(incompleteness(answer)));
    body.on('error', interrupted);
    body.once('close', interrupted);
  });
}

function closed(answer: PlainAnswer, failure: unknown): unknown {
  answer.close();
  return failure;
}

function incompleteness(answer: PlainAnswer): unknown {
  try {
    answer.checkComplete();
    return undefined;
  } catch (error) {
    return error;
  }
}

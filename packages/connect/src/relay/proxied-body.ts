import { type Clock, errors } from '@orch/machinery';
import { type Deadline, type DeadlineQueue, disarm, onAbort } from '@orch/machinery/concurrency';
import type { PlainAnswer } from '@orch/outbound';
import { bodyPieces } from '@orch/outbound';
import type { BodySink, ChunksReply, HeaderList, Reply, StreamSignals } from '@orch/request';

export interface Passing {
  readonly clock: Clock;
  /** Idle timeout of the backend. */
  readonly idle: DeadlineQueue;
  readonly drainGraceMs: number;
  /** The reply has no body. */
  readonly isHead: boolean;
  /** Ends the request with a reason that is not an internal error. */
  readonly cancel: (reason: Error) => void;
  /** Transforms the body; its length is unknown then. */
  readonly transform?: (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;
}

/** The answer of the backend as a reply: its body is streamed with back-pressure. */
export function proxiedReply(answer: PlainAnswer, headers: HeaderList, passing: Passing): Reply {
  const { status } = answer;
  const length = passing.transform === undefined ? lengthOf(answer) : undefined;
  if (passing.isHead || status === 204 || status === 304) {
    answer.close();
    return headOnly(status, headers, passing.isHead ? length : undefined);
  }
  return {
    kind: 'stream',
    status,
    headers,
    isPatient: true,
    ...(length === undefined ? {} : { length }),
    run: (sink, signals) => carryBody(answer, sink, signals, passing),
  };
}

const headOnly = (status: number, headers: HeaderList, length: number | undefined): ChunksReply => ({
  kind: 'chunks',
  status,
  headers,
  chunks: [],
  ...(length === undefined ? {} : { length }),
});

function lengthOf({ fields }: PlainAnswer): number | undefined {
  const text = fields['content-length'];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * Writes the body to its end. Rejects when the backend disconnects or is idle for too long, so that the client
 * does not take a partial body for a complete one.
 */
async function carryBody(
  answer: PlainAnswer,
  sink: BodySink,
  { signal, draining }: StreamSignals,
  passing: Passing,
): Promise<void> {
  let cancelGrace = (): void => undefined;
  const stop = (reason: Error): void => {
    passing.cancel(reason);
    answer.body.destroy(reason);
  };
  const cleanups = [
    onAbort(signal, () => answer.body.destroy()),
    onAbort(draining, () => {
      cancelGrace = passing.clock.schedule(passing.drainGraceMs, () =>
        stop(errors.serviceUnavailable('the server is shutting down')),
      );
    }),
  ];
  const silent = (): void =>
    stop(errors.timeout('the other end of the connection has been silent for too long'));
  let deadline: Deadline | undefined = passing.idle.arm(silent);
  try {
    const body = bodyPieces(answer.body);
    for await (const piece of passing.transform?.(body) ?? body) {
      disarm(deadline);
      deadline = undefined;
      if (!sink.write(piece)) await sink.drained(signal);
      deadline = passing.idle.arm(silent);
    }
    signal.throwIfAborted();
    answer.checkComplete();
  } catch (error) {
    // Neither a disconnected client nor a disconnected backend is an internal error.
    passing.cancel(errors.plain(502, 'the other end of the connection broke off'));
    throw error;
  } finally {
    disarm(deadline);
    cancelGrace();
    for (const undo of cleanups) undo();
    answer.close();
  }
}

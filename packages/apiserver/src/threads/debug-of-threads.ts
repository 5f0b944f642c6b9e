import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type Clock, messageOf } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { type DebugAnswer, type DebugEndpoints, type DebugQuestion, textAnswer } from '@orch/program';

/** Asks the thread with a number for its answer to a request for debugging. */
export type AskThread = (
  thread: number,
  question: DebugQuestion,
  signal: AbortSignal,
) => Promise<DebugAnswer>;

/** Time in which a thread answers: longer than its longest measurement. */
const ANSWER_MS = 45_000;
const UNAVAILABLE = 503;

type Reply = { readonly answer: DebugAnswer } | { readonly failure: string };

/**
 * The answer that a thread sends to the port that `send` passes to it: 503 when it ends, or does not answer in time. The port is
 * closed when the signal aborts, and the thread then stops its work.
 */
export async function answerFrom(
  send: (port: MessagePort) => void,
  thread: number,
  clock: Pick<Clock, 'schedule'>,
  signal: AbortSignal,
): Promise<DebugAnswer> {
  const { port1, port2 } = new MessageChannel();
  const reply = Promise.withResolvers<Reply>();
  const unavailable = (): void =>
    reply.resolve({ answer: textAnswer(`thread ${thread} does not answer`, UNAVAILABLE) });
  const cancel = clock.schedule(ANSWER_MS, unavailable);
  port1.on('message', reply.resolve);
  port1.on('close', unavailable);
  send(port2);
  try {
    const received = await abortable(reply.promise, signal);
    if ('failure' in received) throw new Error(`thread ${thread}: ${received.failure}`);
    const { body, ...rest } = received.answer;
    // Messages make views of bytes from buffers.
    return { ...rest, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
  } finally {
    cancel();
    port1.close();
  }
}

/** Answers a request that another thread has received, at a port; stops when the port is closed. */
export function answerAt(
  port: MessagePort,
  endpoints: DebugEndpoints | undefined,
  { method, path, query }: DebugQuestion,
): void {
  const gone = new AbortController();
  port.ref();
  port.on('close', () => gone.abort(new Error('the client disconnected')));
  const endpoint = endpoints?.find(path);
  // The server of this thread is not built yet.
  if (endpoints === undefined || endpoint === undefined) {
    port.close();
    return;
  }
  const request = { method, query: new URLSearchParams(query), signal: gone.signal, body: async () => '' };
  void replyOf(async () => endpoints.answer(endpoint, request)).then((reply) => {
    port.postMessage(reply);
    port.close();
  });
}

async function replyOf(answer: () => Promise<DebugAnswer>): Promise<Reply> {
  try {
    return { answer: await answer() };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

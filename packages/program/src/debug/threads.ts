import { badRequest, type DebugAnswer, type DebugMethod, type DebugRequest, textAnswer } from './endpoint.ts';
import { HTTP_NOT_FOUND } from './status.ts';

/** A request for debugging, for another thread. */
export interface DebugQuestion {
  readonly method: DebugMethod;
  readonly path: string;
  readonly query: string;
}

/** The threads of a process, of which each has the same endpoints below `/debug`. */
export interface DebugThreads {
  /** Number of this thread; the first one is 1. */
  readonly number: number;
  readonly count: number;
  /** The answer of another thread; it stops its work when the signal aborts. */
  ask(thread: number, question: DebugQuestion, signal: AbortSignal): Promise<DebugAnswer>;
}

/** A process with one thread. */
export const onlyThread: DebugThreads = {
  number: 1,
  count: 1,
  ask: () => Promise.reject(new Error('the process has one thread')),
};

/** The answer of the thread that the parameter `thread` names; undefined when this thread must answer. */
export function answerOfThread(
  threads: DebugThreads,
  path: string,
  { method, query, signal }: DebugRequest,
): DebugAnswer | Promise<DebugAnswer> | undefined {
  const text = query.get('thread');
  if (text === null) return undefined;
  if (method === 'PUT') return badRequest('thread must be absent: PUT changes all threads');
  if (!/^[1-9]\d{0,3}$/.test(text)) return badRequest('thread must be a positive integer');
  const thread = Number(text);
  if (thread > threads.count)
    return textAnswer(
      `thread ${thread} not found: the number of threads is ${threads.count}`,
      HTTP_NOT_FOUND,
    );
  if (thread === threads.number) return undefined;
  return threads.ask(thread, { method, path, query: query.toString() }, signal);
}

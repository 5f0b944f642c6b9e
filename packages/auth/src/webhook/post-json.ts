import { messageOf } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import {
  AnswerTooLarge,
  defaultConnectionLimits,
  Connections as Kept,
  NoAnswer,
  type OutboundRequest,
  type WholeAnswer,
} from '@orch/outbound';
import type { RemoteService } from './client-config.ts';
import { type DialOptions, dialService } from './dial-service.ts';
import { RemoteError } from './remote-error.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;
const USUAL_SOCKETS = 64;

/** The connection to a service. */
export interface ConnectionOptions extends DialOptions {
  /** Requests with HTTP/1.1 at one time. */
  readonly maxSockets?: number;
  readonly headers?: QuestionHeaders;
}

/** Header fields for one question, besides those that all have. */
export type QuestionHeaders = () => Readonly<Record<string, string>>;

/** An answer that was received to its end; its body is empty without a 2xx status. */
export type Answer = Pick<WholeAnswer, 'status' | 'body'>;

/** A request to a service. */
export interface Question {
  /** JSON. */
  readonly payload: string | Buffer;
  /** Added to that of the URL. */
  readonly query?: string | undefined;
  /** A longer answer is a failure; 1 MiB when absent. */
  readonly maxAnswerBytes?: number;
}

/** Connections to one service, which are kept; closed together with it. */
export interface Connections extends Disposable {
  /** POSTs JSON. Rejects with `RemoteError`, or the signal's reason. */
  post(question: Question, signal: AbortSignal): Promise<Answer>;
}

/** Throws when certificate or key cannot be read. */
export function connectionsTo(service: RemoteService, options: ConnectionOptions): Connections {
  const { url, authorization } = service;
  const { maxSockets: maxHttp1 = USUAL_SOCKETS, headers: more, clock } = options;
  const dial = dialService(service, options);
  const limits = defaultConnectionLimits;
  const kept = new Kept({ clock, limits, dial, maxHttp1, isLeftAfterAbort: true });
  const fixed = {
    host: url.host,
    'content-type': 'application/json',
    accept: 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return {
    async post({ payload: json, query = '', maxAnswerBytes = MAX_ANSWER_BYTES }, signal) {
      const body = typeof json === 'string' ? Buffer.from(json) : json;
      const request = {
        method: 'POST',
        target: pathOf(url, query),
        headers: { ...fixed, ...more?.() },
        bodyLength: body.length,
        body,
        upgrade: undefined,
        maxAnswerBytes,
      };
      try {
        return await answerTo(kept, request, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw new RemoteError(problemOf(error), !(error instanceof AnswerTooLarge));
      }
    },
    [Symbol.dispose]: () => kept.destroy(),
  };
}

const problemOf = (error: unknown): string =>
  error instanceof NoAnswer && error.isClosed
    ? 'the service closed the connection before the end of its answer'
    : messageOf(error);

/** A kept connection that the service closed at the same moment has not delivered the request: it is sent again. */
async function answerTo(kept: Kept, request: OutboundRequest, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    try {
      const answer = await kept.request(request, signal);
      if (answer.kind === 'whole') return answer;
      throw new TypeError('an answer that was not received to its end');
    } catch (error) {
      if (signal.aborted || !(error instanceof NoAnswer && error.wasKept)) throw error;
    }
  }
}

function pathOf({ pathname, search }: URL, query: string): string {
  if (query === '') return `${pathname}${search}`;
  return `${pathname}${search === '' ? '?' : `${search}&`}${query}`;
}

/** Sends JSON requests to one service and reads its JSON responses. */
export interface JsonPost extends Disposable {
  /** The parsed body of an answer with a 2xx status; rejects with `RemoteError`, or the signal's reason. */
  (body: object, signal: AbortSignal): Promise<unknown>;
}

/** Throws when certificate or key cannot be read. */
export function jsonPost(service: RemoteService, options: ConnectionOptions): JsonPost {
  const connections = connectionsTo(service, options);
  const send = async (body: object, signal: AbortSignal): Promise<unknown> =>
    readJsonAnswer(await connections.post({ payload: JSON.stringify(body) }, signal));
  return Object.assign(send, { [Symbol.dispose]: () => connections[Symbol.dispose]() });
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** The parsed body of an answer with a 2xx status. Throws `RemoteError`. */
export function readJsonAnswer({ status, body }: Answer): unknown {
  if (!isSuccess(status))
    throw new RemoteError(`it answered ${status}`, status === 429 || status >= 500, status);
  try {
    return parseJson(body, { finite: true });
  } catch {
    throw new RemoteError('its answer is not JSON', false);
  }
}

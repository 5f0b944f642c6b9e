import { messageOf, parseJson } from '@orch/machinery';
import type { RemoteService } from './client-config.ts';
import { type Answer, type ConnectionOptions, isSuccess, RemoteError } from './exchange.ts';
import { type Transport, transportTo } from './transport.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;
const USUAL_SOCKETS = 64;

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
export function connectionsTo(service: RemoteService, options: ConnectionOptions = {}): Connections {
  const { url, authorization } = service;
  const { maxSockets = USUAL_SOCKETS, headers: more, ...rest } = options;
  const transport: Transport = transportTo(service, { maxSockets, ...rest });
  const fixed = {
    host: url.host,
    'content-type': 'application/json',
    accept: 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return {
    async post({ payload: json, query = '', maxAnswerBytes = MAX_ANSWER_BYTES }, signal) {
      const payload = typeof json === 'string' ? Buffer.from(json) : json;
      const headers = { ...fixed, ...more?.(), 'content-length': String(payload.length) };
      try {
        return await transport.post({ path: pathOf(url, query), headers, payload, maxAnswerBytes }, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw error instanceof RemoteError ? error : new RemoteError(messageOf(error), true);
      }
    },
    [Symbol.dispose]: () => transport[Symbol.dispose](),
  };
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
export function jsonPost(service: RemoteService, options: ConnectionOptions = {}): JsonPost {
  const connections = connectionsTo(service, options);
  const send = async (body: object, signal: AbortSignal): Promise<unknown> =>
    readJsonAnswer(await connections.post({ payload: JSON.stringify(body) }, signal));
  return Object.assign(send, { [Symbol.dispose]: () => connections[Symbol.dispose]() });
}

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

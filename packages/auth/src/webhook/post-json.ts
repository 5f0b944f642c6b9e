import type { Readable } from 'node:stream';
import { messageOf, parseJson } from '@orch/machinery';
import type { RemoteService } from './client-config.ts';
import type { Answer, ConnectionOptions } from './exchange.ts';
import { type Transport, transportTo } from './transport.ts';

/** Why a service did not answer. `isPassing`: asking again may help. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly isPassing: boolean;
  /** Of an answer without 2xx. */
  readonly status: number | undefined;

  constructor(message: string, isPassing: boolean, status?: number) {
    super(message);
    this.isPassing = isPassing;
    this.status = status;
  }
}

const MAX_ANSWER_BYTES = 1024 * 1024;
const USUAL_SOCKETS = 64;

/** Connections to one service, which are kept; closed together with it. */
export interface Connections extends Disposable {
  /**
   * POSTs JSON; `query` is added to that of the URL. Resolves with the head of the answer. Rejects with `RemoteError`, or the
   * signal's reason.
   */
  post(payload: string | Buffer, signal: AbortSignal, query?: string): Promise<Answer>;
}

/** Throws when certificate or key cannot be read. */
export function connectionsTo(service: RemoteService, options: ConnectionOptions = {}): Connections {
  const { url, authorization } = service;
  const { maxSockets = USUAL_SOCKETS, headers: more = () => ({}), ...rest } = options;
  const transport: Transport = transportTo(service, { maxSockets, ...rest });
  const fixed = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return {
    async post(payload, signal, query = '') {
      const headers = { ...more(), ...fixed, 'content-length': String(Buffer.byteLength(payload)) };
      try {
        return await transport.post({ path: pathOf(url, query), headers, payload }, signal);
      } catch (error) {
        throw signal.aborted ? signal.reason : new RemoteError(messageOf(error), true);
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
    readJsonAnswer(await connections.post(JSON.stringify(body), signal));
  return Object.assign(send, { [Symbol.dispose]: () => connections[Symbol.dispose]() });
}

/** The parsed body of an answer with a 2xx status, of at most `limitBytes`. Rejects with `RemoteError`. */
export async function readJsonAnswer(
  { status, body }: Answer,
  limitBytes: number = MAX_ANSWER_BYTES,
): Promise<unknown> {
  if (status < 200 || status > 299) {
    body.destroy();
    throw new RemoteError(`it answered ${status}`, status === 429 || status >= 500, status);
  }
  const bytes = await readBody(body, limitBytes);
  try {
    return parseJson(bytes);
  } catch {
    throw new RemoteError('its answer is not JSON', false);
  }
}

function readBody(body: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new RemoteError(messageOf(error), true));
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      reject(new RemoteError('its answer is too large', false));
      body.destroy();
    });
    const cut = (): void => fail(body.errored ?? new Error('the connection was closed'));
    // A stream of HTTP/2 that is cut off ends, too.
    body.on('end', () => (body.destroyed ? cut() : resolve(Buffer.concat(chunks))));
    body.on('error', fail);
    body.on('close', () => {
      if (!body.readableEnded) cut();
    });
    // Closed before its listeners were registered.
    if (body.destroyed) cut();
  });
}

import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, onAbort } from '@orch/machinery';
import {
  type Fields,
  MAX_HEAD_BYTES,
  OutboundFailure,
  type OutboundRequest,
  type PlainAnswer,
  type UpgradedAnswer,
  upload,
} from '@orch/outbound';

export type BackendAnswer = PlainAnswer | UpgradedAnswer;

export interface Exchange {
  readonly clock: Clock;
  /** Timeout for the head of the answer. */
  readonly answerTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends one request over HTTP/1.1 and waits for the head of the answer. Redirects are not followed. The socket is used for
 * this request only: bytes after the answer cannot become the answer of another request.
 * Rejects with `OutboundFailure`, or with the signal's reason; the connection is closed then.
 */
export function exchange(
  connection: Socket,
  request: OutboundRequest,
  how: Exchange,
): Promise<BackendAnswer> {
  return new Promise((resolve, reject) => {
    let isFinished = false;
    let unregister = (): void => undefined;
    const outgoing = open(connection, request);
    const finish = (act: () => void): void => {
      if (isFinished) return;
      isFinished = true;
      cancel();
      unregister();
      act();
    };
    const fail = (error: unknown): void =>
      finish(() => {
        outgoing.destroy();
        connection.destroy();
        reject(error);
      });
    const cancel = how.clock.schedule(how.answerTimeoutMs, () =>
      fail(new OutboundFailure(`no answer within ${how.answerTimeoutMs} ms`)),
    );
    // Stays registered after the head of the answer: 'close' of its body reports later failures.
    outgoing.on('error', (error) => fail(new OutboundFailure(failureText(error), { cause: error })));
    outgoing.on('close', () => {
      if (!isFinished) fail(new OutboundFailure('the connection was closed before an answer'));
    });
    outgoing.on('response', (body) => finish(() => resolve(answerOf(outgoing, connection, body))));
    outgoing.on('upgrade', (head, stream, early) => {
      if (request.upgrade === undefined || head.headers.upgrade?.toLowerCase() !== request.upgrade) {
        stream.destroy();
        fail(new OutboundFailure('it changed to a protocol that was not requested'));
        return;
      }
      finish(() => resolve({ kind: 'upgraded', fields: fieldsOf(head), socket: stream, early }));
    });
    unregister = onAbort(how.signal, () => fail(how.signal.reason));
    if (isFinished) return;
    const { body } = request;
    if (request.bodyLength === 0) outgoing.end();
    else if (typeof body !== 'function') outgoing.end(body);
    else {
      void upload(outgoing, body(), fail);
      // The head does not wait for a body that begins later: the server would close the connection as an idle one.
      setImmediate(() => flushHead(outgoing));
    }
  });
}

/** `headersSent` is not a condition: it is true as soon as the head is composed. */
function flushHead(outgoing: ClientRequest): void {
  if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.flushHeaders();
}

function open(connection: Socket, request: OutboundRequest): ClientRequest {
  const outgoing = sendRequest({
    method: request.method,
    path: request.target,
    headers: writtenFields(request),
    createConnection: () => connection,
    setHost: false,
    maxHeaderSize: MAX_HEAD_BYTES,
    insecureHTTPParser: false,
  });
  outgoing.setNoDelay(true);
  return outgoing;
}

/** Names and values in turn, which are written as they are: a map of them would be made for each request otherwise. */
function writtenFields({ method, headers, bodyLength }: OutboundRequest): readonly string[] {
  const fields: string[] = [];
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (typeof value === 'string') fields.push(name, value);
    else for (const one of value) fields.push(name, one);
  }
  if (bodyLength === undefined) fields.push('transfer-encoding', 'chunked');
  else if (bodyLength > 0 || !bodiless.has(method)) fields.push('content-length', String(bodyLength));
  return fields;
}

/** Methods for which an absent body needs no length. */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

function answerOf(outgoing: ClientRequest, connection: Socket, body: IncomingMessage): BackendAnswer {
  return {
    kind: 'answer',
    status: body.statusCode ?? 0,
    fields: fieldsOf(body),
    body,
    // Reading an interrupted body fails.
    checkComplete: () => undefined,
    close() {
      // Interrupted answers are reported to the consumer of the body; there is none any more.
      body.on('error', () => undefined);
      outgoing.destroy();
      connection.destroy();
    },
  };
}

/** The fields of a head as received, repeated ones in a list. */
function fieldsOf({ rawHeaders }: IncomingMessage): Fields {
  const fields: Record<string, string | string[]> = Object.create(null);
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const earlier = fields[name];
    if (earlier === undefined) fields[name] = value;
    else if (typeof earlier === 'string') fields[name] = [earlier, value];
    else earlier.push(value);
  }
  return fields;
}

function failureText(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'HPE_HEADER_OVERFLOW') return `the head of its answer is larger than ${MAX_HEAD_BYTES} bytes`;
  if (code.startsWith('HPE_')) return 'its answer is not HTTP';
  return code === 'ECONNRESET' ? 'the connection was closed before an answer' : error.message;
}

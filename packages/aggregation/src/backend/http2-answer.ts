import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { BackendFailure, type Fields } from '@orch/connect';
import { BodyBuffer } from '@orch/machinery/http';
import { brokenAnswer, type PlainAnswer, type ReceivedAnswer, wholeLength } from './received-answer.ts';

interface Receiver {
  readonly resolve: (answer: ReceivedAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Receives the head of the answer on a stream, and a short body to its end. Failures of the stream itself are reported by its
 * events.
 */
export function receive(stream: ClientHttp2Stream, method: string, receiver: Receiver): void {
  stream.once('response', (headers) => {
    const status = headers[':status'] ?? 0;
    const fields = fieldsOf(headers);
    const length = wholeLength(status, method, fields);
    if (length === undefined) receiver.resolve(streamed(stream, status, fields));
    else collect(stream, { status, fields, length }, receiver);
  });
}

interface ShortAnswer {
  readonly status: number;
  readonly fields: Fields;
  /** Of the body, as announced. */
  readonly length: number;
}

function collect(
  stream: ClientHttp2Stream,
  { status, fields, length }: ShortAnswer,
  { resolve, reject }: Receiver,
): void {
  const body = new BodyBuffer();
  stream.on('data', (piece: Buffer) => {
    body.add(piece);
    if (body.size > length) reject(otherLength());
  });
  stream.on('end', () => {
    // The end of the connection, and of a stream without a failure, ends the body without an error.
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) reject(brokenAnswer());
    else if (body.size !== length) reject(otherLength());
    else resolve({ kind: 'whole', status, fields, body: body.bytes() });
  });
}

const otherLength = (): BackendFailure => new BackendFailure('its answer has another length than announced');

function fieldsOf(headers: IncomingHttpHeaders): Fields {
  const fields: Record<string, string | readonly string[]> = Object.create(null);
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !name.startsWith(':')) fields[name] = value;
  }
  return fields;
}

/** An answer whose body is read from the stream. */
const streamed = (stream: ClientHttp2Stream, status: number, fields: Fields): PlainAnswer => ({
  kind: 'answer',
  status,
  fields,
  body: stream,
  checkComplete() {
    // As for short bodies.
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw brokenAnswer();
  },
  close() {
    // Interrupted answers are reported to the consumer of the body; there is none any more.
    stream.on('error', () => undefined);
    if (!stream.readableEnded || !stream.writableFinished) cancel(stream);
  },
});

/** Ends the request at the server as well. */
export function cancel(stream: ClientHttp2Stream): void {
  if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
}

import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { errors } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';
import { BodyBuffer } from '@orch/machinery/http';
import {
  announcedLength,
  collectedBytes,
  hasNoBody,
  isUnread,
  type PlainAnswer,
  type ReceivedAnswer,
} from '../message/answer.ts';
import { AnswerTooLarge, brokenAnswer, NoAnswer, NotSent, OutboundFailure } from '../message/failures.ts';
import { type Fields, noBody, type OutboundRequest } from '../message/request.ts';
import { upload } from '../message/upload.ts';

/** The end of an exchange. */
interface Settling {
  readonly request: OutboundRequest;
  readonly resolve: (answer: ReceivedAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly unregister: () => void;
  readonly isKept: boolean;
}

export interface Exchanged {
  readonly request: OutboundRequest;
  readonly signal: AbortSignal;
  /** The connection has carried another request. */
  readonly isKept: boolean;
  /** Called at the end of the stream. */
  readonly onEnded: () => void;
}

/** A short answer while its body is received. */
interface Collected {
  readonly status: number;
  readonly fields: Fields;
  /** Announced length of the body. */
  readonly length: number | undefined;
  readonly maxBytes: number;
  readonly body: BodyBuffer;
}

/**
 * One request on a stream, and its answer. A stream is freed long after its end, and with it all that its listeners refer to:
 * they refer to this object only, which forgets everything when the answer is passed on.
 */
class Http2Exchange {
  readonly #stream: ClientHttp2Stream;
  #settling: Settling | undefined;
  #collected: Collected | undefined;

  constructor(stream: ClientHttp2Stream, settling: Settling, onEnded: () => void) {
    this.#stream = stream;
    this.#settling = settling;
    // Stays registered after the head of the answer: reading the body reports later failures.
    stream.on('error', (error) => this.#failed(error));
    stream.on('close', () => {
      onEnded();
      this.#failed(undefined);
    });
    stream.on('response', (headers) => this.#begin(headers));
  }

  fail(error: unknown): void {
    const settling = this.#settle();
    if (settling === undefined) return;
    cancel(this.#stream);
    settling.reject(error);
  }

  /** A refused stream was not processed; without a request body, nothing is lost. */
  #failed(error: Error | undefined): void {
    if (this.#settling === undefined) return;
    const { request, isKept } = this.#settling;
    const isRefused = this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    if (isRefused && request.bodyLength === 0) this.fail(refused());
    else this.fail(this.#collected === undefined ? new NoAnswer(isKept, error) : brokenAnswer(error));
  }

  #begin(headers: IncomingHttpHeaders & { readonly ':status'?: number | undefined }): void {
    if (this.#settling === undefined) return;
    const { request } = this.#settling;
    const status = headers[':status'] ?? 0;
    const fields = fieldsOf(headers);
    const maxBytes = collectedBytes(request, status, fields);
    if (maxBytes === undefined) this.#settle()?.resolve(streamed(this.#stream, status, fields));
    else if (isUnread(request, status)) {
      this.#settle()?.resolve({ kind: 'whole', status, fields, body: noBody });
      cancel(this.#stream);
    } else {
      const length = hasNoBody(status, request.method) ? 0 : announcedLength(fields);
      this.#collect({ status, fields, length, maxBytes, body: new BodyBuffer() });
    }
  }

  #collect(collected: Collected): void {
    this.#collected = collected;
    this.#stream.on('data', (piece: Buffer) => this.#add(piece));
    this.#stream.on('end', () => this.#end());
  }

  #add(piece: Buffer): void {
    if (this.#collected === undefined) return;
    const { body, length, maxBytes } = this.#collected;
    body.add(piece);
    if (body.size > maxBytes) this.fail(new AnswerTooLarge());
    else if (length !== undefined && body.size > length) this.fail(otherLength());
  }

  #end(): void {
    if (this.#collected === undefined) return;
    const { status, fields, length, body } = this.#collected;
    // The end of the connection, and of a stream without a failure, ends the body without an error.
    if (this.#stream.rstCode !== constants.NGHTTP2_NO_ERROR) this.fail(brokenAnswer());
    else if (length !== undefined && body.size !== length) this.fail(otherLength());
    else this.#settle()?.resolve({ kind: 'whole', status, fields, body: body.bytes() });
  }

  /** Once. */
  #settle(): Settling | undefined {
    const settling = this.#settling;
    this.#settling = undefined;
    this.#collected = undefined;
    settling?.unregister();
    return settling;
  }
}

/**
 * Sends the body of a request, and waits for the head of the answer on its stream, or for a short answer to its end. Rejects
 * with `NotSent`, `OutboundFailure` or the signal's reason.
 */
export function exchangeOver(
  stream: ClientHttp2Stream,
  { request, signal, isKept, onEnded }: Exchanged,
): Promise<ReceivedAnswer> {
  return new Promise((resolve, reject) => {
    const unregister = onAbort(signal, () => exchange.fail(signal.reason));
    const exchange = new Http2Exchange(stream, { request, resolve, reject, unregister, isKept }, onEnded);
    const { body, bodyLength } = request;
    if (bodyLength === 0) return;
    if (typeof body !== 'function') stream.end(body);
    else void upload(stream, body(), (error) => exchange.fail(error));
  });
}

const otherLength = (): OutboundFailure =>
  new OutboundFailure('its answer does not have the announced length');

const refused = (): NotSent =>
  new NotSent(errors.serviceUnavailable('the server refused the request before it was processed'));

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
    // Interrupted responses are reported to the consumer of the body; there is none any longer.
    stream.on('error', () => undefined);
    if (!stream.readableEnded || !stream.writableFinished) cancel(stream);
  },
});

function cancel(stream: ClientHttp2Stream): void {
  if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL);
}

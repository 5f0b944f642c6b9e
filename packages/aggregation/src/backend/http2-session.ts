import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type BackendRequest, MAX_HEAD_BYTES, upload } from '@orch/connect';
import { type Cancel, type Clock, errors, onAbort } from '@orch/machinery';
import type { ConnectionLimits } from './connection-limits.ts';
import { cancel, receive } from './http2-answer.ts';
import { NotSent } from './not-sent.ts';
import { noAnswer, type ReceivedAnswer } from './received-answer.ts';

/** Unread bytes of all streams of a session, in megabytes: a slow client stops its own stream long before. */
const MAX_SESSION_MEGABYTES = 64;
/** What the server may send on a connection without an acknowledgement. */
const CONNECTION_WINDOW_BYTES = 1024 * 1024;
/** Requests on one connection, whatever the server allows. */
const MAX_STREAMS = 1000;

/** A connection over HTTP/2 that is kept for further requests. */
export class Http2Session {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  readonly #limits: ConnectionLimits;
  readonly #onClosed: () => void;
  #open = 0;
  /** When its last request ended, by the monotonic clock. */
  #usedAt: number;
  #isRetired = false;
  #timer: Cancel = () => undefined;

  constructor(
    socket: TLSSocket,
    { clock, limits, onClosed }: { clock: Clock; limits: ConnectionLimits; onClosed: () => void },
  ) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onClosed = onClosed;
    this.#usedAt = clock.monotonic();
    this.#session = connect('https://backend', {
      createConnection: () => socket,
      maxSessionMemory: MAX_SESSION_MEGABYTES,
      settings: { enablePush: false, maxHeaderListSize: MAX_HEAD_BYTES },
    });
    this.#session.on('error', () => undefined);
    this.#session.once('connect', () => this.#session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    this.#session.once('close', () => this.#closed());
    this.#session.once('goaway', () => this.retire());
    this.#watchIdle();
  }

  /** Whether it accepts another request. */
  get hasCapacity(): boolean {
    if (this.#isRetired || this.#session.closed || this.#session.destroyed) return false;
    return (
      this.#open < Math.min(this.#session.remoteSettings.maxConcurrentStreams ?? MAX_STREAMS, MAX_STREAMS)
    );
  }

  /** Sends no further requests; the connection closes when its requests have ended. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#onClosed();
    if (!this.#session.destroyed) this.#session.close();
  }

  /** Closes the connection, and ends its requests. */
  destroy(): void {
    this.#session.destroy();
  }

  /**
   * Sends a request and waits for the head of the answer, or for a short one to its end. Rejects with `NotSent`,
   * `BackendFailure` or the signal's reason.
   */
  request(request: BackendRequest, signal: AbortSignal): Promise<ReceivedAnswer> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stream = this.#openStream(request);
      let isFinished = false;
      const finish = (): boolean => {
        if (isFinished) return false;
        isFinished = true;
        unregister();
        return true;
      };
      const fail = (error: unknown): void => {
        if (!finish()) return;
        cancel(stream);
        reject(error);
      };
      const unregister = onAbort(signal, () => fail(signal.reason));
      // Stays registered after the head of the answer: reading the body reports later failures.
      stream.on('error', (error) => {
        if (!isFinished) fail(failureOf(stream, request, error));
      });
      stream.once('close', () => {
        this.#ended();
        if (!isFinished) fail(failureOf(stream, request, undefined));
      });
      receive(stream, request.method, {
        resolve(answer) {
          if (finish()) resolve(answer);
        },
        reject: fail,
      });
      if (request.bodyLength !== 0) void upload(stream, request.body(), fail);
    });
  }

  #openStream(request: BackendRequest): ClientHttp2Stream {
    const outgoing = outgoingFields(request);
    const endStream = request.bodyLength === 0;
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(outgoing, { endStream });
    } catch (error) {
      // The connection was closed in this moment, or has no stream numbers left.
      this.retire();
      throw new NotSent(errors.serviceUnavailable(error instanceof Error ? error.message : String(error)));
    }
    this.#open++;
    return stream;
  }

  #ended(): void {
    this.#open--;
    this.#usedAt = this.#clock.monotonic();
  }

  #closed(): void {
    this.#timer();
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#onClosed();
  }

  /** Closes the connection after a time without requests; while there are some, checks that the other end still answers. */
  #watchIdle(): void {
    const { idleMs, pingMs } = this.#limits;
    this.#timer = this.#clock.schedule(Math.min(idleMs, pingMs), () => {
      if (this.#session.destroyed) return;
      if (this.#open > 0) this.#ping();
      else if (this.#clock.monotonic() - this.#usedAt >= idleMs) this.retire();
      else this.#watchIdle();
    });
  }

  #ping(): void {
    this.#timer = this.#clock.schedule(this.#limits.pingTimeoutMs, () => this.#session.destroy());
    this.#session.ping((error) => {
      this.#timer();
      if (error === null) this.#watchIdle();
    });
  }
}

function outgoingFields({ method, target, headers, bodyLength }: BackendRequest): OutgoingHttpHeaders {
  const fields: Record<string, string | string[]> = Object.create(null);
  fields[':method'] = method;
  fields[':path'] = target;
  fields[':scheme'] = 'https';
  fields[':authority'] = String(headers['host'] ?? '');
  for (const name in headers) {
    if (name === 'host' || name === 'connection') continue;
    const value = headers[name] ?? '';
    fields[name] = typeof value === 'string' ? value : [...value];
  }
  if (bodyLength !== undefined && bodyLength > 0) fields['content-length'] = String(bodyLength);
  return fields;
}

/** A refused stream was not processed; without a body nothing of it is lost. */
function failureOf(stream: ClientHttp2Stream, request: BackendRequest, error: Error | undefined): Error {
  if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM && request.bodyLength === 0)
    return new NotSent(errors.serviceUnavailable('the server refused the request before it was processed'));
  return noAnswer(error);
}

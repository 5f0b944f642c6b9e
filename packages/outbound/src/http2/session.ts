import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { Socket } from 'node:net';
import { type Cancel, type Clock, errors } from '@orch/machinery';
import { MAX_HEAD_BYTES, type ReceivedAnswer } from '../message/answer.ts';
import { NotSent } from '../message/failures.ts';
import type { ConnectionLimits } from '../message/limits.ts';
import type { OutboundRequest } from '../message/request.ts';
import { exchangeOver } from './exchange.ts';
import { fieldMap, outgoingFields, takesFieldList } from './outgoing-fields.ts';

/** Unread bytes of all streams of a session, in megabytes: a slow client stops its own stream long before. */
const MAX_SESSION_MEGABYTES = 64;
/** The bytes that the server may send on a connection without an acknowledgement. */
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
  readonly #takesFieldList = takesFieldList();
  #isKept = false;
  /** Time at which its last request ended, by the monotonic clock. */
  #usedAt: number;
  #isRetired = false;
  #timer: Cancel = () => undefined;

  readonly #onEnded = (): void => {
    this.#open--;
    if (this.#open === 0 && !this.#session.destroyed) this.#session.unref();
    this.#usedAt = this.#clock.monotonic();
  };

  constructor(
    socket: Socket,
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
    // An idle connection does not keep the process running.
    this.#session.unref();
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
   * `OutboundFailure` or the signal's reason.
   */
  request(request: OutboundRequest, signal: AbortSignal): Promise<ReceivedAnswer> {
    if (signal.aborted) return Promise.reject(signal.reason);
    try {
      const stream = this.#openStream(request);
      const isKept = this.#isKept;
      this.#isKept = true;
      return exchangeOver(stream, { request, signal, isKept, onEnded: this.#onEnded });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #openStream(request: OutboundRequest): ClientHttp2Stream {
    const outgoing = outgoingFields(request);
    const endStream = request.bodyLength === 0;
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(this.#takesFieldList ? outgoing : fieldMap(outgoing), { endStream });
    } catch (error) {
      // The connection was closed in this moment, or has no stream numbers left.
      this.retire();
      throw new NotSent(errors.serviceUnavailable(error instanceof Error ? error.message : String(error)));
    }
    if (this.#open === 0) this.#session.ref();
    this.#open++;
    return stream;
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

import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';
import { type Exchange, piecesOf } from './chunks.ts';
import { type Connection, LostBeforeAnswer, type WireRequest } from './connection.ts';
import { KeepAlive, type KeepAliveTimes } from './keep-alive.ts';
import { TransportError, type TransportResponse } from './transport.ts';
import { garbled, isGarbled, unpacked } from './unpack.ts';

const ignore = (): void => {};

/** Codes that end streams and connections (RFC 9113 section 7). */
const errorNames = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
];
const NO_ERROR = 0;
const REFUSED_STREAM = 7;
const CANCELLED = 8;

/** Errors of a session that is ending, for new streams. */
const refusals = new Set([
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_OUT_OF_STREAMS',
]);

/** Maximum received bytes of one response, and of all responses together, before they are read. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
const SESSION_MEMORY_MEGABYTES = 64;

/** Starts HTTP/2 on an open connection. */
export function openHttp2(
  socket: Socket,
  origin: string,
  { clock, times }: { readonly clock: Clock; readonly times: KeepAliveTimes },
): Http2Connection {
  // Deno takes the host of the origin from this name, which is empty if the server has an address in place of a name.
  if ('servername' in socket && socket.servername === '') socket.servername = new URL(origin).hostname;
  const session = process.getBuiltinModule('node:http2').connect(origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
    maxSessionMemory: SESSION_MEMORY_MEGABYTES,
  });
  session.once('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
  return new Http2Connection(session, clock, times);
}

/** All requests over one HTTP/2 connection. */
class Http2Connection implements Connection {
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  readonly #keepAlive: KeepAlive;
  #active = 0;
  #isRetired = false;
  #cancelGrace: () => void = ignore;
  /** The last stream that the server processed, according to GOAWAY. */
  #lastServed = Infinity;
  #reason: string | undefined;
  #isDropped = false;

  constructor(session: ClientHttp2Session, clock: Clock, times: KeepAliveTimes) {
    this.#session = session;
    this.#clock = clock;
    this.#keepAlive = new KeepAlive(session, { clock, times }, (reason) => this.#die(reason));
    session.on('error', (error: Error) => {
      this.#reason ??= error.message;
    });
    session.on('goaway', (code: number, last: number) => {
      this.#lastServed = last;
      if (code !== NO_ERROR) this.#reason ??= `the server ended the connection (${codeName(code)})`;
    });
    session.once('close', () => this.#over());
    // An idle connection does not keep the process alive.
    session.unref();
  }

  get isOver(): boolean {
    return this.#isRetired || this.#session.closed || this.#session.destroyed;
  }

  get isIdle(): boolean {
    return this.#active === 0;
  }

  get isUsable(): boolean {
    return !this.isOver && this.#active < (this.#session.remoteSettings.maxConcurrentStreams ?? Infinity);
  }

  send(request: WireRequest, signal: AbortSignal): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stream = this.#open(request);
      const unregister = onAbort(signal, () => cancel(stream, signal.reason));
      const fault = (cause: unknown): unknown =>
        signal.aborted ? signal.reason : this.#faultOf(stream, cause);
      const fail = (cause?: unknown): void => reject(fault(cause) ?? this.#lost(stream, cause));
      let failure: unknown;
      let isAnswered = false;
      stream.on('error', (error: Error) => {
        failure = error;
      });
      stream.once('response', (headers) => {
        isAnswered = true;
        this.#keepAlive.onData();
        const finish = (): void => {
          unregister();
          cancel(stream);
        };
        const onData = (): void => this.#keepAlive.onData();
        resolve(responseOf(stream, headers, { signal, fault, finish, onData }));
      });
      stream.once('close', () => {
        unregister();
        this.#release();
        if (!isAnswered) fail(failure);
      });
      stream.end(request.body);
    });
  }

  #open({ method, path, headers, body }: WireRequest): ClientHttp2Stream {
    try {
      const { host, ...rest } = headers;
      const all = { ...rest, ':method': method, ':path': path, ':authority': String(host) };
      const stream = this.#session.request(all as Record<string, string | string[]>, {
        endStream: body === undefined,
      });
      if (this.#active++ === 0) this.#session.ref();
      return stream;
    } catch (cause) {
      const isRefused = refusals.has((cause as NodeJS.ErrnoException).code ?? '');
      if (!isRefused) throw new TransportError('notSent', `cannot send: ${String(cause)}`, { cause });
      throw new LostBeforeAnswer('notSent', 'the connection takes no more requests', { cause });
    }
  }

  #release(): void {
    if (--this.#active > 0) return;
    if (!this.#session.destroyed) this.#session.unref();
    if (this.#isRetired) this.#session.close();
  }

  /** The reason why the stream ended prematurely; undefined for a complete one. */
  #faultOf(stream: ClientHttp2Stream, cause: unknown): unknown {
    if (isGarbled(cause)) return garbled(cause);
    const isWhole = stream.rstCode === NO_ERROR && stream.readableEnded;
    return cause === undefined && isWhole ? undefined : this.#lost(stream, cause);
  }

  #lost(stream: ClientHttp2Stream, cause: unknown): TransportError {
    const why =
      this.#reason ??
      (stream.rstCode === 0 ? 'the connection ended' : `reset by ${codeName(stream.rstCode)}`);
    const isUnseen =
      stream.id === undefined || stream.id > this.#lastServed || stream.rstCode === REFUSED_STREAM;
    const isConnectionGone = this.#session.destroyed || this.#session.closed;
    const message = `the request was cut off: ${why}`;
    const outcome = isUnseen ? 'notSent' : 'unknown';
    const isLost = !this.#isDropped && (isUnseen || isConnectionGone);
    return isLost
      ? new LostBeforeAnswer(outcome, message, { cause })
      : new TransportError(outcome, message, { cause });
  }

  retire(graceMs: number, reason: string): void {
    if (this.#isRetired || this.#session.destroyed) return;
    this.#isRetired = true;
    if (this.#active === 0) this.#session.close();
    else this.#cancelGrace = this.#clock.schedule(graceMs, () => this.#die(reason));
  }

  destroy(reason: string): void {
    this.#isDropped = true;
    this.#die(reason);
  }

  #die(reason: string): void {
    this.#reason ??= reason;
    // Without an error and a code, interrupted streams would look complete.
    this.#session.destroy(new Error(reason), CANCELLED);
  }

  #over(): void {
    this.#cancelGrace();
    this.#keepAlive.end();
  }
}

function responseOf(
  stream: ClientHttp2Stream,
  headers: IncomingHttpHeaders & { readonly ':status'?: number | undefined },
  exchange: Exchange,
): TransportResponse {
  const plain = plainHeaders(headers);
  const source = unpacked(stream, plain['content-encoding']);
  return { status: headers[':status'] ?? 0, headers: plain, body: piecesOf(source, exchange) };
}

/** Cancels a stream; with a reason, its response body fails with it. */
function cancel(stream: ClientHttp2Stream, reason?: unknown): void {
  if (stream.destroyed) return;
  stream.close(CANCELLED);
  stream.destroy(reason instanceof Error ? reason : undefined);
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  const plain: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(':')) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}

const codeName = (code: number | undefined): string => `${errorNames[code ?? -1] ?? `code ${code}`}`;

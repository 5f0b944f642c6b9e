import {
  constants,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { type Deadline, disarm } from '@orch/machinery/concurrency';
import { clientGone, type Reply } from '@orch/request';
import { Flow } from '../shared/flow.ts';
import { type Peer, requestId } from '../shared/peer.ts';
import { type HttpService, isLastByChance } from '../shared/service.ts';
import { type RequestHead, withoutFieldEdges } from './field-edges.ts';
import { Overhead } from './overhead.ts';
import { type Http2Outgoing, sendHttp2Reply } from './reply-writer.ts';
import { Http2Request } from './request.ts';
import { ResetBudget } from './reset-budget.ts';

/** One HTTP/2 connection. Uses Node's streams directly: the compatibility layer doubles the cost of a request. */
export class Http2Connection {
  readonly #socket: TLSSocket;
  readonly #session: ServerHttp2Session;
  readonly #service: HttpService;
  readonly #peer: Peer;
  readonly #resets: ResetBudget;
  readonly #overhead: Overhead;
  #open = 0;
  #hasServed = false;
  #idle: Deadline | undefined;
  /** Deadline until the connection is closed by force; set once, when the session ends. */
  #linger: Deadline | undefined;
  #inspection: Deadline | undefined;
  #isOver = false;
  #isRefused = false;

  constructor(socket: TLSSocket, service: HttpService, peer: Peer) {
    const { limits } = service;
    this.#socket = socket;
    this.#service = service;
    this.#peer = peer;
    this.#resets = new ResetBudget(service.clock, limits);
    this.#overhead = new Overhead(socket, this.#peer, limits);
    this.#session = performServerHandshake(socket, {
      maxSessionMemory: 64,
      maxHeaderListPairs: limits.maxHeaderFields,
      // Otherwise a field with a blank at its end is dropped, and the request has no credentials.
      strictFieldWhitespaceValidation: false,
      settings: {
        maxConcurrentStreams: limits.maxConcurrentStreams,
        maxHeaderListSize: limits.maxHeadBytes,
        initialWindowSize: 256 * 1024,
        enablePush: false,
      },
    });
    this.#session.on('stream', (stream: ServerHttp2Stream, headers, _flags, fields: string[]) => {
      this.#guarded(stream, () => this.#onStream(stream, withoutFieldEdges({ headers, fields })));
    });
    this.#session.on('error', (error) => this.#onError(error));
    this.#session.on('goaway', () => this.#closeWhenIdle());
    onDestroy(this.#session, () => this.#end());
    socket.on('close', () => this.#onClosed());
    // The socket allows half-open connections for HTTP/1.1; an HTTP/2 client that ends its side has disconnected.
    socket.on('end', () => this.destroy());
    socket.on('error', () => this.destroy());
    this.#closeWhenIdle();
    this.#inspect();
  }

  /**
   * Sends GOAWAY: no new streams; the connection ends when the open ones are done. On a new connection the first request, which
   * the client may have sent already, is answered.
   */
  closeWhenIdle(): void {
    if (this.#hasServed) {
      if (!this.#session.closed) this.#session.close();
      this.#closeWhenIdle();
    } else {
      this.#disarmIdle();
      this.#idle = this.#service.timeouts.drainIdle.arm(() => this.#end());
    }
  }

  /** A session that is destroyed during a write would leave its socket open: both are destroyed. */
  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  #onStream(stream: ServerHttp2Stream, head: RequestHead): void {
    // An error ends its stream only; 'close' follows and cleans up.
    stream.on('error', () => undefined);
    if (this.#isRefused) return;
    if (this.#session.closed) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      this.#spendReset();
      return;
    }
    this.#open++;
    this.#hasServed = true;
    this.#disarmIdle();
    this.#overhead.onStream();
    const service = this.#service;
    if (service.isClosing() || isLastByChance(service)) this.#session.close();
    const request = new Http2Request(stream, head, requestId(head.headers, service.random), this.#peer);
    const flow = new Flow(stream, service.timeouts.stall, () => stream.close(constants.NGHTTP2_CANCEL));
    const out: Http2Outgoing = { stream, flow, service, request };
    const headBytes = head.fields.reduce((sum, { length }) => sum + length, 0);
    stream.on('close', () => this.#onStreamClosed(out));
    // The reset of a stream mostly follows in the bytes that are being read: a client that often resets does not cause work first.
    if (this.#resets.isStrained())
      setImmediate(() => this.#guarded(stream, () => this.#answer(out, headBytes)));
    else this.#answer(out, headBytes);
  }

  #answer(out: Http2Outgoing, headBytes: number): void {
    const { stream, request } = out;
    if (stream.destroyed) return;
    request.isBegun = true;
    const answer = this.#service.handle(request, headBytes);
    const send = (reply: Reply): void => this.#send(out, reply);
    if (answer instanceof Promise) void answer.then((reply) => this.#guarded(stream, () => send(reply)));
    else send(answer);
  }

  #send(out: Http2Outgoing, reply: Reply): void {
    const { stream } = out;
    // An unread body would keep the stream open: the reply is complete, so the rest is not needed.
    if (!stream.endAfterHeaders) {
      stream.on('finish', () => {
        if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
      });
    }
    const sent = sendHttp2Reply(out, reply);
    if (sent === undefined) out.request.isAnswered = true;
    else void sent.then(() => (out.request.isAnswered = true));
  }

  /** An internal error ends its stream, not the process. */
  #guarded(stream: ServerHttp2Stream, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#service.log.error('a stream failed', {
        error,
      });
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  }

  #onStreamClosed({ stream, request, flow }: Http2Outgoing): void {
    flow.closed();
    const isReset = stream.rstCode !== constants.NGHTTP2_NO_ERROR;
    // A reset also finishes the writable side, possibly with code NO_ERROR: only a complete reply counts as sent.
    const isCut = isReset || !stream.writableFinished || !request.isAnswered;
    if (isCut && request.isBegun) request.cancel(clientGone());
    if (isReset) this.#spendReset();
    this.#open--;
    this.#closeWhenIdle();
  }

  /** Streams that are opened and reset cost the server work and the client nothing: a budget bounds them per connection. */
  #spendReset(): void {
    if (!this.#resets.spend()) this.#refuse('the client resets too many streams');
  }

  /** Frames without a request cost the server work as well. The bytes of a connection are compared from time to time. */
  #inspect(): void {
    if (this.#isOver) return;
    if (this.#overhead.isExceeded()) this.#refuse('the client sends too many frames without a request');
    else this.#inspection = this.#service.timeouts.inspection.arm(() => this.#inspect());
  }

  /**
   * Ends the connection of a client that misbehaves. GOAWAY is sent when the bytes already received have been read, and
   * the socket is not read again.
   */
  #refuse(reason: string): void {
    if (this.#isRefused || this.#session.destroyed) return;
    this.#isRefused = true;
    this.#service.refusals.ended();
    this.#service.log.warn(`connection ended: ${reason}`, { client: this.#peer.remoteAddress });
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    setImmediate(() => this.destroy());
  }

  /**
   * Sends GOAWAY, and closes the connection a moment later, so that the client can read the reason. Closing the session
   * alone would wait for the client to close its end, for an incomplete head, and for bytes that the
   * client does not read.
   */
  #end(): void {
    if (!this.#session.closed) this.#session.close();
    this.#disarmIdle();
    if (this.#isOver || this.#linger !== undefined) return;
    this.#linger = this.#service.timeouts.linger.arm(() => this.destroy());
    disarm(this.#inspection);
    this.#inspectEnd(this.#socket.bytesRead);
  }

  /** Node reads on after the end of a session, regardless of the state of the socket: a client that continues to send is disconnected. */
  #inspectEnd(readAtEnd: number): void {
    if (this.#isOver) return;
    const { limits, timeouts } = this.#service;
    if (this.#socket.bytesRead - readAtEnd > limits.maxDiscardedBodyBytes) this.destroy();
    else this.#inspection = timeouts.endInspection.arm(() => this.#inspectEnd(readAtEnd));
  }

  #onError(error: NodeJS.ErrnoException): void {
    if (error.code?.startsWith('ERR_HTTP2_') === true) this.#service.refusals.ended();
    if (this.#service.log.enabled(4)) {
      this.#service.log.debug(4, 'HTTP/2 session failed', {
        client: this.#peer.remoteAddress,
        error: error.message,
      });
    }
  }

  /** Starts the deadline of a connection without streams: the idle timeout, or a moment after GOAWAY. */
  #closeWhenIdle(): void {
    if (this.#open > 0) return;
    if (this.#session.closed) this.#end();
    else this.#idle ??= this.#service.timeouts.idle.arm(() => this.#end());
  }

  #onClosed(): void {
    this.#isOver = true;
    this.#session.destroy();
    this.#disarmIdle();
    disarm(this.#linger);
    disarm(this.#inspection);
  }

  #disarmIdle(): void {
    disarm(this.#idle);
    this.#idle = undefined;
  }
}

/**
 * Calls `listener` when the session is destroyed, also by Node after an error. The event 'close' follows the last write,
 * and does not occur when the client has stopped reading during one.
 */
function onDestroy(session: ServerHttp2Session, listener: () => void): void {
  const destroy = session.destroy.bind(session);
  session.destroy = (...reason) => {
    destroy(...reason);
    listener();
  };
}

import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { clientGone, type Deadline, disarm, type Reply } from '@orch/request';
import { Flow } from '../shared/flow.ts';
import { Peer } from '../shared/peer.ts';
import { requestId } from '../shared/request-id.ts';
import type { HttpService } from '../shared/service.ts';
import { type Http2Outgoing, sendHttp2Reply } from './reply-writer.ts';
import { Http2Request } from './request.ts';
import { ResetBudget } from './reset-budget.ts';

/** How finely a chance is weighed. */
const CHANCES = 1_000_000;

/** One HTTP/2 connection. Uses Node's streams directly: its compatibility layer doubles the cost of a request. */
export class Http2Connection {
  readonly #socket: TLSSocket;
  readonly #session: ServerHttp2Session;
  readonly #service: HttpService;
  readonly #peer: Peer;
  readonly #resets: ResetBudget;
  #open = 0;
  #idle: Deadline | undefined;
  /** Until the connection is cut; set once, when the session is over. */
  #linger: Deadline | undefined;
  #isOver = false;

  constructor(socket: TLSSocket, service: HttpService) {
    const { limits } = service;
    this.#socket = socket;
    this.#service = service;
    this.#peer = new Peer(socket);
    this.#resets = new ResetBudget(service.clock, limits.streamResetBurst, limits.streamResetsPerSecond);
    this.#session = performServerHandshake(socket, {
      maxSessionMemory: 64,
      maxHeaderListPairs: limits.maxHeaderFields,
      settings: {
        maxConcurrentStreams: limits.maxConcurrentStreams,
        maxHeaderListSize: limits.maxHeadBytes,
        initialWindowSize: 256 * 1024,
        enablePush: false,
      },
    });
    this.#session.on('stream', (stream: ServerHttp2Stream, headers, _flags, fields: string[]) => {
      this.#guarded(stream, () => this.#onStream(stream, { headers, fields }));
    });
    this.#session.on('error', (error) => this.#onError(error));
    this.#session.on('goaway', () => this.#closeWhenIdle());
    onDestroy(this.#session, () => this.#end());
    socket.on('close', () => this.#onClosed());
    // The socket may stay half open for HTTP/1.1's sake; an HTTP/2 client that ends its side is gone.
    socket.on('end', () => this.destroy());
    socket.on('error', () => this.destroy());
    this.#closeWhenIdle();
  }

  /** Says GOAWAY: no new streams, and the end of the connection when the open ones are done. */
  closeWhenIdle(): void {
    if (!this.#session.closed) this.#session.close();
    this.#closeWhenIdle();
  }

  /** A session that is destroyed in the middle of a write would leave its socket open for ever: both go. */
  destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }

  #onStream(
    stream: ServerHttp2Stream,
    head: { readonly headers: IncomingHttpHeaders; readonly fields: readonly string[] },
  ): void {
    if (this.#session.closed) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    this.#open++;
    this.#disarmIdle();
    const service = this.#service;
    if (this.#isLast()) this.#session.close();
    const request = new Http2Request(stream, head, requestId(head.headers, service.random), this.#peer);
    const flow = new Flow(stream, service.timeouts.stall, () => stream.close(constants.NGHTTP2_CANCEL));
    const out: Http2Outgoing = { stream, flow, service, request };
    // Errors of a stream end that stream; 'close' follows and does the work.
    stream.on('error', () => undefined);
    stream.on('close', () => this.#onStreamClosed(out));
    const answer = service.handle(request);
    const send = (reply: Reply): void => this.#send(out, reply);
    if (answer instanceof Promise) void answer.then((reply) => this.#guarded(stream, () => send(reply)));
    else send(answer);
  }

  /** Asks a client for a new connection now and then, which a load balancer may lead to another server. */
  #isLast(): boolean {
    const { limits, random } = this.#service;
    return limits.goawayChance > 0 && random.int(CHANCES) < limits.goawayChance * CHANCES;
  }

  #send(out: Http2Outgoing, reply: Reply): void {
    const { stream } = out;
    // A body that nobody read would keep the stream open: with the reply complete, the rest is not wanted.
    if (!stream.endAfterHeaders) {
      stream.on('finish', () => {
        if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
      });
    }
    const sent = sendHttp2Reply(out, reply);
    if (sent === undefined) out.request.isAnswered = true;
    else void sent.then(() => (out.request.isAnswered = true));
  }

  /** A fault of ours costs its stream, not the process. */
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
    // A reset finishes the writable side too, and may say that there was no error: a reply that was taken was made.
    if (isReset || !stream.writableFinished || !request.isAnswered) request.cancel(clientGone());
    if (isReset) this.#onReset();
    this.#open--;
    this.#closeWhenIdle();
  }

  /** Streams opened only to be reset cost us work and the client nothing: more than a budget of them ends the connection. */
  #onReset(): void {
    if (this.#resets.spend() || this.#session.closed) return;
    this.#service.log.warn('connection ended: the client resets too many streams', {
      client: this.#peer.remoteAddress,
    });
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    this.#end();
  }

  /**
   * Says GOAWAY, and cuts the connection a moment later, when the client had time to learn why. To close the session is
   * not enough: that waits for the client to close its end, for a head that began and never ends, and for bytes that the
   * client does not read.
   */
  #end(): void {
    if (!this.#session.closed) this.#session.close();
    this.#disarmIdle();
    if (!this.#isOver) this.#linger ??= this.#service.timeouts.linger.arm(() => this.destroy());
  }

  #onError(error: Error): void {
    if (this.#service.log.enabled(4)) {
      this.#service.log.debug(4, 'HTTP/2 session failed', {
        client: this.#peer.remoteAddress,
        error: error.message,
      });
    }
  }

  /** Starts the time that a connection without streams has: the idle timeout, or a moment when no stream may follow. */
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
  }

  #disarmIdle(): void {
    disarm(this.#idle);
    this.#idle = undefined;
  }
}

/**
 * Calls `listener` when the session is destroyed, also by Node after an error. Its event 'close' follows the last write,
 * and never comes when the client has stopped reading in the middle of one.
 */
function onDestroy(session: ServerHttp2Session, listener: () => void): void {
  const destroy = session.destroy.bind(session);
  session.destroy = (...reason) => {
    destroy(...reason);
    listener();
  };
}

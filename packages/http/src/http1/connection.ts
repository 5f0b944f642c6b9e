import { STATUS_CODES } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { errors } from '@orch/machinery';
import { type Deadline, type DeadlineQueue, disarm } from '@orch/machinery/concurrency';
import { ChunkedDecoder, type HeadProblem, HeadReader, isProblem, LengthDecoder } from '@orch/machinery/http';
import { clientGone, type Reply, statusReply, type UpgradeReply } from '@orch/request';
import { Flow } from '../shared/flow.ts';
import { type Peer, requestId } from '../shared/peer.ts';
import { http1Head } from '../shared/reply-headers.ts';
import { type HttpService, isLastByChance, TLS_RECORD_BYTES } from '../shared/service.ts';
import { BodyReader } from './body-reader.ts';
import { type HeaderBlock, type RequestLine, requestHeads } from './head.ts';
import { type Sent, sendReply } from './reply-writer.ts';
import { Http1Request } from './request.ts';

interface Exchange {
  readonly request: Http1Request;
  readonly body: BodyReader;
}

/**
 * One HTTP/1.1 connection: requests are read and answered one after the other, in order; pipelined requests are
 * buffered up to a bound. Closes itself after a protocol error, a timeout, or when either side is done.
 */
export class Http1Connection {
  readonly #socket: TLSSocket;
  readonly #service: HttpService;
  readonly #peer: Peer;
  readonly #flow: Flow;
  readonly #heads: HeadReader<RequestLine, HeaderBlock>;
  #pending: Buffer | undefined;
  #exchange: Exchange | undefined;
  #isAdvancing = false;
  #isBehind = false;
  /** Bytes received after the last reply and since the last turn. */
  #dropped = 0;
  #state: 'open' | 'upgraded' | 'lingering' | 'closed' = 'open';
  #deadline: Deadline | undefined;
  #queue: DeadlineQueue;

  readonly #takeData = (chunk: Buffer): void => this.#guarded(() => this.#onData(chunk));
  readonly #takeEnd = (): void => this.#onEnd();

  constructor(socket: TLSSocket, service: HttpService, peer: Peer) {
    this.#socket = socket;
    this.#service = service;
    this.#peer = peer;
    this.#flow = new Flow(socket, service.timeouts.stall, () => socket.destroy());
    this.#heads = new HeadReader(service.limits, requestHeads);
    this.#queue = service.timeouts.head;
    this.#arm(service.timeouts.head, () => this.#headTimeout());
    socket.on('data', this.#takeData);
    socket.on('end', this.#takeEnd);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#onClose());
  }

  /**
   * Closes the connection after its next reply. Without one it is closed a moment later: the client may have sent a request
   * already, which is answered.
   */
  closeWhenIdle(): void {
    if (this.#exchange !== undefined || this.#state !== 'open') return;
    this.#arm(this.#service.timeouts.drainIdle, () => this.#linger());
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** An internal error closes this connection, not the process. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#service.log.error('a connection failed', {
        error,
      });
      this.#socket.destroy();
    }
  }

  #onData(chunk: Buffer): void {
    if (this.#state === 'lingering') this.#drop(chunk);
    if (this.#state !== 'open') return;
    this.#pending = this.#pending === undefined ? chunk : Buffer.concat([this.#pending, chunk]);
    if (this.#exchange === undefined) this.#advance();
    else if (this.#exchange.body.isHungry) this.#feed(this.#exchange.body);
    else if (this.#pending.length > this.#service.limits.maxPipelinedBytes) this.#socket.pause();
  }

  /** Handles requests while complete heads are buffered and the client reads the replies. */
  #advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    while (
      this.#state === 'open' &&
      this.#exchange === undefined &&
      this.#pending !== undefined &&
      this.#isTaken()
    ) {
      const head = this.#heads.take(this.#pending);
      if (head === undefined) {
        this.#awaitHead();
        break;
      }
      if (isProblem(head)) {
        this.#refuse(head);
        break;
      }
      this.#pending = head.end < this.#pending.length ? this.#pending.subarray(head.end) : undefined;
      this.#begin(head);
    }
    this.#isAdvancing = false;
    if (this.#state === 'open' && this.#exchange === undefined && !this.#isBehind) this.#resume();
  }

  /** Sets the deadline of a head of which a part has arrived. A drain has set a shorter one. */
  #awaitHead(): void {
    const { head } = this.#service.timeouts;
    if (this.#queue !== head && !this.#service.isClosing()) this.#arm(head, () => this.#headTimeout());
  }

  /** Reports whether the client has read the replies so far; otherwise no further request is read. */
  #isTaken(): boolean {
    if (this.#flow.isOpen()) return true;
    if (!this.#isBehind) {
      this.#isBehind = true;
      this.#socket.pause();
      void this.#flow.drained().then(() => {
        this.#isBehind = false;
        this.#guarded(() => this.#advance());
      });
    }
    return false;
  }

  #resume(): void {
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  #begin(head: Pick<Http1Request, 'line' | 'block'> & { readonly end: number }): void {
    this.#disarm();
    const body: BodyReader = new BodyReader(decoderOf(head.block), (isFirst) =>
      this.#wantBody(head, body, isFirst),
    );
    const request = new Http1Request(
      head,
      requestId(head.block.headers, this.#service.random),
      this.#peer,
      body,
    );
    this.#exchange = { request, body };
    const answer = this.#service.handle(request, head.end);
    if (answer instanceof Promise) void answer.then((reply) => this.#guarded(() => this.#reply(reply)));
    else this.#reply(answer);
  }

  #reply(reply: Reply): void {
    const exchange = this.#exchange;
    if (exchange === undefined || this.#state !== 'open') {
      if (reply.kind === 'chunks') reply.onSent?.(0, false);
      else if (reply.kind === 'upgrade') reply.abandon();
      return;
    }
    if (reply.kind === 'upgrade') {
      this.#upgrade(exchange, reply);
      return;
    }
    const keepAlive = this.#canKeepAlive(exchange);
    const { request } = exchange;
    const sent = sendReply(
      { socket: this.#socket, flow: this.#flow, service: this.#service, request, keepAlive },
      reply,
    );
    if (sent instanceof Promise) void sent.then((result) => this.#guarded(() => this.#finish(result)));
    else this.#finish(sent);
  }

  /** Passes the socket to the upgraded protocol, with the bytes that the client sent early. No HTTP is read afterwards. */
  #upgrade({ request }: Exchange, reply: UpgradeReply): void {
    const socket = this.#socket;
    this.#state = 'upgraded';
    socket.off('data', this.#takeData);
    socket.off('end', this.#takeEnd);
    socket.pause();
    const ahead = this.#pending;
    this.#pending = undefined;
    if (ahead !== undefined) socket.unshift(ahead);
    socket.write(`${http1Head(reply, request.id, this.#service.date())}\r\n`, 'latin1');
    const signals = { signal: request.signal, draining: this.#service.draining };
    void reply
      .run(socket, signals)
      .catch((error: unknown) => this.#service.log.error('a connection failed', { error }))
      .finally(() => socket.destroy());
  }

  #canKeepAlive({ request, body }: Exchange): boolean {
    const { line, block } = request;
    if (line.minorVersion === 0 ? !block.connectionKeepAlive : block.connectionClose) return false;
    if (this.#service.isClosing() || this.#socket.readableEnded || request.isUpgradeRequested) return false;
    // A client that waits for 100-continue may send the body or not: the next bytes could be a body or a request.
    if (block.expectsContinue && !body.isRead && !body.isDone) return false;
    return body.canDiscard(this.#service.limits.maxDiscardedBodyBytes) && !isLastByChance(this.#service);
  }

  #finish(sent: Sent): void {
    const exchange = this.#exchange;
    if (exchange === undefined || this.#state !== 'open') return;
    const { body } = exchange;
    body.abandon();
    if (sent === 'spent') {
      this.#exchange = undefined;
      this.#linger();
    } else if (body.isDone) {
      this.#next();
    } else {
      body.discard();
      this.#arm(this.#service.timeouts.head, () => this.#socket.destroy());
      this.#resume();
      this.#feed(body);
    }
  }

  /** The exchange is complete: waits for the next request, which may be buffered already. */
  #next(): void {
    this.#exchange = undefined;
    const { drainIdle, idle } = this.#service.timeouts;
    this.#arm(this.#service.isClosing() ? drainIdle : idle, () => this.#linger());
    this.#advance();
  }

  #wantBody({ line, block }: Pick<Http1Request, 'line' | 'block'>, body: BodyReader, isFirst: boolean): void {
    // A client of HTTP/1.0 would take the interim response for the reply.
    if (isFirst && block.expectsContinue && line.minorVersion === 1 && this.#pending === undefined)
      this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
    this.#resume();
    // Deferred: the caller must have the promise before it settles.
    if (this.#pending !== undefined) process.nextTick(() => this.#guarded(() => this.#feed(body)));
  }

  #feed(body: BodyReader): void {
    if (this.#pending !== undefined && body.isHungry) {
      const consumed = body.feed(this.#pending);
      this.#pending = consumed < this.#pending.length ? this.#pending.subarray(consumed) : undefined;
    }
    if (body.isDiscarding && this.#exchange?.body === body) {
      if (body.isDone) this.#next();
      else if (!body.isHungry) this.#socket.destroy();
    }
  }

  /** Answers a malformed head, and closes: the start of the next request is unknown. */
  #refuse({ status, problem }: HeadProblem): void {
    this.#service.refusals.answered(status);
    const error = status === 400 ? errors.badRequest(problem) : errors.plain(status, problem);
    const { body } = statusReply(error.status, false);
    this.#socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nDate: ${this.#service.date()}\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
      'latin1',
    );
    this.#socket.write(body);
    this.#linger();
  }

  /** Sends the remaining data and FIN, then reads briefly: unread data would reset the connection under the client. */
  #linger(): void {
    if (this.#state !== 'open') return;
    this.#state = 'lingering';
    this.#pending = undefined;
    const destroy = (): void => this.destroy();
    this.#arm(this.#service.timeouts.stall, destroy);
    this.#socket.end(() => {
      if (this.#state !== 'closed') this.#arm(this.#service.timeouts.linger, destroy);
    });
    this.#socket.resume();
    if (this.#socket.readableEnded) this.#socket.destroySoon();
  }

  /**
   * Drops bytes that arrive after the last reply. They are read and decrypted outside of turns, so that a turn must precede each record,
   * and all clients together have a limit: most stop when they see the reply.
   */
  #drop({ length }: Buffer): void {
    this.#dropped += length;
    if (this.#dropped < TLS_RECORD_BYTES || this.#socket.isPaused()) return;
    this.#dropped = 0;
    this.#socket.pause();
    if (this.#service.takeLateRecord()) void this.#service.turns.next().then(() => this.#resume());
  }

  #headTimeout(): void {
    if (this.#pending === undefined) this.#socket.destroy();
    else this.#refuse({ status: 408, problem: 'the head of the request did not arrive in time' });
  }

  /** The client has sent FIN, or disconnected: this cannot be distinguished, so a pending reply must not take long. */
  #onEnd(): void {
    if (this.#state === 'lingering') this.#socket.destroySoon();
    else if (this.#exchange === undefined) this.#linger();
    else this.#abandon(this.#exchange);
  }

  #onClose(): void {
    this.#state = 'closed';
    this.#disarm();
    this.#flow.closed();
    if (this.#exchange !== undefined) this.#abandon(this.#exchange);
    this.#exchange = undefined;
    this.#pending = undefined;
  }

  #abandon({ request, body }: Exchange): void {
    const reason = clientGone();
    body.fail(reason);
    request.cancel(reason);
  }

  #arm(queue: DeadlineQueue, expire: () => void): void {
    this.#disarm();
    this.#queue = queue;
    this.#deadline = queue.arm(expire);
  }

  #disarm(): void {
    disarm(this.#deadline);
    this.#deadline = undefined;
  }
}

function decoderOf(block: HeaderBlock): LengthDecoder | ChunkedDecoder | undefined {
  if (block.contentLength === 0) return undefined;
  return block.contentLength === undefined ? new ChunkedDecoder() : new LengthDecoder(block.contentLength);
}

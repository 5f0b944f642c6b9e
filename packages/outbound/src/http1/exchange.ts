import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import {
  answerDecoder,
  BodyBuffer,
  type BodyDecoder,
  isPersistent,
  type StatusLine,
} from '@orch/machinery/http';
import { collectedBytes, isUnread, type ReceivedAnswer } from '../message/answer.ts';
import { AnswerTooLarge, brokenAnswer, NoAnswer, OutboundFailure } from '../message/failures.ts';
import { noBody, type OutboundRequest } from '../message/request.ts';
import type { Http1Block, Http1Heads } from './heads.ts';
import { requestHead, sendBody, writeAtOnce } from './write-request.ts';

/** The connection of an exchange, and its reports to its sender. */
export interface ExchangeOptions {
  readonly socket: Socket;
  readonly heads: Http1Heads;
  /** The connection has carried another request. */
  readonly isKept: boolean;
  /** Called once: with the answer when its head has arrived, and with its whole body if that is short. */
  readonly resolve: (answer: ReceivedAnswer) => void;
  /** Called instead of `resolve`. */
  readonly reject: (error: unknown) => void;
}

/** One request on a connection, and its answer. */
export class Http1Exchange {
  readonly #options: ExchangeOptions;
  readonly #request: OutboundRequest;
  #line: StatusLine | undefined;
  #block: Http1Block | undefined;
  #decoder: BodyDecoder | 'untilEnd' | undefined;
  /** A short body. */
  #collected: BodyBuffer | undefined;
  #maxBytes = 0;
  #isLeft = false;
  #isUpgraded = false;
  /** Any other body. */
  #stream: Readable | undefined;
  #hasBytes = false;
  #isSent = false;
  #isReceived = false;

  constructor(request: OutboundRequest, options: ExchangeOptions) {
    this.#request = request;
    this.#options = options;
  }

  /** Whether the request was sent and its answer received, both completely. */
  get isOver(): boolean {
    return this.#isSent && this.#isReceived;
  }

  /** Whether the connection no longer uses HTTP. */
  get isUpgraded(): boolean {
    return this.#isUpgraded;
  }

  get isReceived(): boolean {
    return this.#isReceived;
  }

  /**
   * Number of seconds that the server keeps the connection for another request: 0 when it closes it, undefined when it
   * does not announce it.
   */
  get keptSeconds(): number | undefined {
    if (this.#line === undefined || this.#block === undefined) return 0;
    if (this.#decoder === 'untilEnd' || this.#isLeft) return 0;
    return isPersistent(this.#line, this.#block) ? this.#block.keptSeconds : 0;
  }

  /** Writes the request. Throws `OutboundFailure` for one that cannot be written. */
  send(): void {
    const { socket } = this.#options;
    const head = requestHead(this.#request);
    const { bodyLength, body } = this.#request;
    if (typeof body !== 'function' || bodyLength === 0) {
      writeAtOnce(socket, head, typeof body === 'function' ? noBody : body);
      this.#isSent = true;
      return;
    }
    // The head is sent in one packet with the beginning of the body, unless that comes later.
    socket.cork();
    socket.write(head, 'latin1');
    setImmediate(() => socket.uncork());
    void this.#sendBody(socket, body);
  }

  async #sendBody(socket: Socket, body: () => AsyncIterable<Buffer>): Promise<void> {
    try {
      this.#isSent = await sendBody(socket, body(), this.#request.bodyLength);
    } catch (error) {
      // The client disconnected: a partial request must not look complete.
      this.fail(error);
      socket.destroy();
    }
  }

  /** Takes bytes that arrived, and returns those that are not of the answer yet, or no more. Throws `OutboundFailure`. */
  feed(input: Buffer): Buffer {
    let rest = input;
    this.#hasBytes = true;
    while (this.#decoder === undefined) {
      const head = this.#options.heads.take(rest);
      if (head === undefined) return rest;
      rest = rest.subarray(head.end);
      if (head.line.status === 101) return this.#upgrade(head.block, rest);
      // Interim responses precede the answer.
      if (head.line.status >= 200) this.#begin(head.line, head.block);
      if (this.#isReceived) return rest;
    }
    if (this.#decoder === 'untilEnd') {
      this.#add(rest);
      return rest.subarray(rest.length);
    }
    return this.#decode(this.#decoder, rest);
  }

  /** The connection ended: an answer without a length is complete. */
  end(): void {
    if (this.#decoder === 'untilEnd') this.#received();
  }

  /** Ends the request, or the body of its answer. */
  fail(error: unknown): void {
    if (this.#isReceived) return;
    if (this.#stream === undefined) this.#options.reject(error);
    else this.#stream.destroy(error instanceof Error ? error : undefined);
  }

  /** The reason why the response is incomplete when the connection was closed. */
  closed(cause: Error | undefined): OutboundFailure {
    return this.#line === undefined
      ? new NoAnswer(this.#options.isKept && !this.#hasBytes, cause)
      : brokenAnswer(cause);
  }

  /** Hands the connection over: it carries the requested protocol from now on. */
  #upgrade({ received }: Http1Block, early: Buffer): Buffer {
    const { upgrade } = this.#request;
    if (upgrade === undefined || String(received['upgrade']).toLowerCase() !== upgrade)
      throw new OutboundFailure('it changed to a protocol that was not requested');
    this.#isUpgraded = true;
    const { socket, resolve } = this.#options;
    resolve({ kind: 'upgraded', fields: received, socket, early });
    return noBody;
  }

  #begin(line: StatusLine, block: Http1Block): void {
    this.#line = line;
    this.#block = block;
    this.#decoder = answerDecoder(line, block, this.#request.method === 'HEAD');
    const maxBytes = collectedBytes(this.#request, line.status, block.received);
    if (maxBytes === undefined) {
      this.#beginStream(line, block);
      return;
    }
    this.#collected = new BodyBuffer();
    this.#maxBytes = maxBytes;
    if (isUnread(this.#request, line.status)) this.#leave();
    else if (this.#decoder !== 'untilEnd' && (this.#decoder.remaining ?? 0) > maxBytes)
      throw new AnswerTooLarge();
  }

  /** Ends the exchange without the body of the answer, and with it the connection. */
  #leave(): void {
    this.#isLeft = true;
    this.#received();
  }

  #beginStream({ status }: StatusLine, { received }: Http1Block): void {
    const { socket, resolve } = this.#options;
    const abandon = (): void => {
      if (!this.isOver) socket.destroy();
    };
    const body = new Readable({
      read: () => void socket.resume(),
      destroy(error, done) {
        abandon();
        done(error);
      },
    });
    // The body may break off before it has a reader, who sees that it is destroyed.
    body.on('error', () => undefined);
    this.#stream = body;
    resolve({
      kind: 'answer',
      status,
      fields: received,
      body,
      // Reading an interrupted body fails.
      checkComplete: () => undefined,
      close: abandon,
    });
  }

  #decode(decoder: BodyDecoder, input: Buffer): Buffer {
    let rest = input;
    while (!decoder.done && rest.length > 0) {
      const step = decoder.feed(rest);
      if (step === 'malformed') throw new OutboundFailure('its answer has a malformed chunk');
      rest = rest.subarray(step.consumed);
      if (step.content !== undefined) this.#add(step.content);
    }
    if (decoder.done) this.#received();
    return rest;
  }

  #add(content: Buffer): void {
    if (content.length === 0) return;
    if (this.#collected !== undefined) this.#collect(this.#collected, content);
    else if (this.#stream?.push(content) === false) this.#options.socket.pause();
  }

  #collect(collected: BodyBuffer, content: Buffer): void {
    collected.add(content);
    if (collected.size > this.#maxBytes) throw new AnswerTooLarge();
  }

  #received(): void {
    this.#isReceived = true;
    if (this.#stream !== undefined) {
      this.#stream.push(null);
      return;
    }
    const status = this.#line?.status ?? 0;
    const fields = this.#block?.received ?? {};
    const body = this.#collected?.bytes() ?? Buffer.alloc(0);
    this.#options.resolve({ kind: 'whole', status, fields, body });
  }
}

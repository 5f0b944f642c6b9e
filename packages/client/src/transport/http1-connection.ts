import type { Socket } from 'node:net';
import type { Clock } from '@orch/machinery';
import { abortable, onAbort, Semaphore } from '@orch/machinery/concurrency';
import {
  type Http1Connection as Http1Channel,
  Http1Connections,
  NoAnswer,
  noBody,
  type OutboundRequest,
  type PlainAnswer,
} from '@orch/outbound';
import { piecesOf } from './chunks.ts';
import { type Connection, LostBeforeAnswer, type WireRequest } from './connection.ts';
import { problemOf } from './dial.ts';
import { TransportError, type TransportResponse } from './transport.ts';
import { garbled, isGarbled, unpacked } from './unpack.ts';

const ignore = (): void => {};

/** Requests at a time; further ones wait. */
const MAX_REQUESTS = 256;

/** HTTP/1.1: kept connections, each for one request at a time. `dialSocket` rejects with `TransportError`. */
export class Http1Connection implements Connection {
  readonly #connections: Http1Connections;
  readonly #dialSocket: () => Promise<Socket>;
  readonly #clock: Clock;
  readonly #permits = new Semaphore(MAX_REQUESTS);
  #active = 0;
  #isRetired = false;
  #cancelGrace: () => void = ignore;
  #reason: string | undefined;
  #isDropped = false;

  /** `first` is an open connection. */
  constructor(first: Socket, dialSocket: () => Promise<Socket>, clock: Clock) {
    this.#clock = clock;
    this.#dialSocket = dialSocket;
    this.#connections = new Http1Connections(clock, {});
    this.#connections.keep(this.#connections.over(first));
  }

  get isOver(): boolean {
    return this.#isRetired;
  }

  get isIdle(): boolean {
    return this.#active === 0;
  }

  get isUsable(): boolean {
    return !this.isOver;
  }

  async send(request: WireRequest, signal: AbortSignal): Promise<TransportResponse> {
    signal.throwIfAborted();
    const permit = this.#permits.acquire(signal);
    this.#active++;
    const ended = (): void => {
      permit.then((release) => release(), ignore);
      if (--this.#active === 0) this.#cancelGrace();
    };
    try {
      await permit;
      const channel = this.#connections.take() ?? (await this.#opened(signal));
      const answer = await channel.request(outboundRequest(request), signal);
      // The request has no upgrade, and its answer is streamed.
      if (answer.kind !== 'answer') throw new TypeError(`unexpected answer: ${answer.kind}`);
      return this.#response(answer, signal, ended);
    } catch (cause) {
      ended();
      throw signal.aborted ? signal.reason : this.#faultOf(cause);
    }
  }

  async #opened(signal: AbortSignal): Promise<Http1Channel> {
    const opened = this.#dialSocket().then((socket) => this.#connections.over(socket));
    try {
      return await abortable(opened, signal);
    } catch (error) {
      // The request ended meanwhile: the connection is kept for another one.
      if (signal.aborted) opened.then((channel) => this.#connections.keep(channel), ignore);
      throw error;
    }
  }

  #response(
    { status, fields, body }: PlainAnswer,
    signal: AbortSignal,
    ended: () => void,
  ): TransportResponse {
    const headers: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(fields))
      headers[name] = typeof value === 'string' ? value : value.join(', ');
    // A connection whose answer was not received to its end is closed with the body.
    const unregister = onAbort(signal, () => void body.destroy());
    const over = (): void => {
      unregister();
      ended();
    };
    if (body.closed) over();
    else body.once('close', over);
    const fault = (cause: unknown): unknown => {
      if (signal.aborted) return signal.reason;
      if (cause === undefined && body.readableEnded) return undefined;
      return this.#faultOf(cause ?? new Error('the body is incomplete'));
    };
    const exchange = { signal, fault, finish: () => void body.destroy(), onData: ignore };
    return { status, headers, body: piecesOf(unpacked(body, headers['content-encoding']), exchange) };
  }

  #faultOf(cause: unknown): TransportError {
    if (cause instanceof TransportError) return cause;
    if (isGarbled(cause)) return garbled(cause);
    const message = `the request was interrupted: ${this.#reason ?? problemOf(cause)}`;
    // A server may close a kept connection when the next request is sent on it.
    return cause instanceof NoAnswer && cause.wasKept && !this.#isDropped
      ? new LostBeforeAnswer('unknown', message, { cause })
      : new TransportError('unknown', message, { cause });
  }

  retire(graceMs: number, reason: string): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#connections.retire();
    if (this.#active > 0) this.#cancelGrace = this.#clock.schedule(graceMs, () => this.#die(reason));
  }

  destroy(reason: string): void {
    this.#isDropped = true;
    this.#die(reason);
  }

  #die(reason: string): void {
    this.#isRetired = true;
    this.#reason ??= reason;
    this.#cancelGrace();
    this.#connections.destroy();
  }
}

function outboundRequest({ method, path, headers, body }: WireRequest): OutboundRequest {
  // The length is written with the head.
  const { 'content-length': _, ...rest } = headers;
  const bytes = body === undefined ? noBody : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    ...{ method, target: path, headers: rest, bodyLength: bytes.length, body: bytes },
    ...{ upgrade: undefined, isStreamed: true },
  };
}

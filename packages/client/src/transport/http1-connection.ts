import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';
import { type Exchange, piecesOf } from './chunks.ts';
import { type Connection, LostBeforeAnswer, type WireRequest } from './connection.ts';
import { problemOf } from './dial.ts';
import { TransportError, type TransportResponse } from './transport.ts';
import { garbled, isGarbled, unpacked } from './unpack.ts';

const MAX_SOCKETS = 256;
const MAX_FREE_SOCKETS = 8;

/** Loaded on first use: servers with HTTP/2 do not need it. */
const http = () => process.getBuiltinModule('node:http');

/** HTTP/1.1: kept connections, each for one request at a time. `dialSocket` rejects with `TransportError`. */
export class Http1Connection implements Connection {
  readonly #agent: Agent;
  readonly #clock: Clock;
  readonly #sockets = new Set<Socket>();
  #isRetired = false;
  #cancelGrace: () => void = () => {};
  #reason: string | undefined;
  #isDropped = false;

  /** `first` is an open connection. */
  constructor(first: Socket, dialSocket: () => Promise<Socket>, clock: Clock) {
    this.#clock = clock;
    this.#agent = new (http().Agent)({
      keepAlive: true,
      maxSockets: MAX_SOCKETS,
      maxFreeSockets: MAX_FREE_SOCKETS,
    });
    let spare: Socket | undefined = first;
    this.#own(first);
    this.#agent.createConnection = (_options, done) => {
      const ready = spare;
      spare = undefined;
      if (ready !== undefined && !ready.destroyed) return ready;
      dialSocket().then(
        (socket) => done?.(null, this.#own(socket)),
        (error: Error) => done?.(error, undefined as unknown as Socket),
      );
      return undefined;
    };
  }

  #own(socket: Socket): Socket {
    if (this.isOver) socket.destroy();
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#isRetired && this.#sockets.size === 0) this.#cancelGrace();
    });
    return socket;
  }

  get isOver(): boolean {
    return this.#isRetired;
  }

  get isIdle(): boolean {
    return Object.keys(this.#agent.sockets).length === 0;
  }

  get isUsable(): boolean {
    return !this.isOver;
  }

  send(request: WireRequest, signal: AbortSignal): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const outgoing = this.#open(request);
      const unregister = onAbort(signal, () => outgoing.destroy());
      const fault = (cause: unknown): unknown =>
        signal.aborted ? signal.reason : this.#faultOf(outgoing, cause);
      outgoing.on('error', (error: Error) => reject(fault(error)));
      outgoing.once('response', (incoming) => {
        const finish = (): void => {
          unregister();
          // A connection whose response was not read to its end cannot be reused.
          if (!incoming.readableEnded) outgoing.destroy();
        };
        resolve(responseOf(incoming, { signal, fault, finish, onData: () => {} }));
      });
      outgoing.once('close', () => {
        unregister();
        reject(fault(new Error('the connection ended')));
      });
      outgoing.end(request.body);
    });
  }

  #open({ method, path, headers }: WireRequest): ClientRequest {
    const options = {
      agent: this.#agent,
      method,
      path,
      headers: headers as OutgoingHttpHeaders,
      setHost: false,
    };
    try {
      return http().request(options);
    } catch (cause) {
      throw new TransportError('notSent', `cannot send: ${String(cause)}`, { cause });
    }
  }

  #faultOf(outgoing: ClientRequest, cause: unknown): TransportError {
    if (cause instanceof TransportError) return cause;
    if (isGarbled(cause)) return garbled(cause);
    const message = `the request was interrupted: ${this.#reason ?? problemOf(cause)}`;
    // A server may close a kept connection when the next request is sent on it.
    return outgoing.reusedSocket && !this.#isDropped
      ? new LostBeforeAnswer('unknown', message, { cause })
      : new TransportError('unknown', message, { cause });
  }

  retire(graceMs: number, reason: string): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    const busy = new Set(Object.values(this.#agent.sockets).flat());
    for (const socket of this.#sockets) if (!busy.has(socket)) socket.destroy();
    this.#agent.maxFreeSockets = 0;
    if (this.#sockets.size > 0) this.#cancelGrace = this.#clock.schedule(graceMs, () => this.#die(reason));
  }

  destroy(reason: string): void {
    this.#isDropped = true;
    this.#die(reason);
  }

  #die(reason: string): void {
    this.#isRetired = true;
    this.#reason ??= reason;
    this.#cancelGrace();
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
  }
}

function responseOf(incoming: IncomingMessage, exchange: Exchange): TransportResponse {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const fault = (cause: unknown): unknown =>
    cause === undefined && incoming.complete
      ? undefined
      : exchange.fault(cause ?? new Error('the body is incomplete'));
  const source = unpacked(incoming, headers['content-encoding']);
  return { status: incoming.statusCode ?? 0, headers, body: piecesOf(source, { ...exchange, fault }) };
}

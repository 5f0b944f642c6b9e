import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ApiError, type Clock, errors } from '@orch/machinery';
import { abortable, Semaphore } from '@orch/machinery/concurrency';
import { Http1Connections } from '../http1/connections.ts';
import { Http2Session } from '../http2/session.ts';
import type { ReceivedAnswer } from '../message/answer.ts';
import { NotSent } from '../message/failures.ts';
import type { ConnectionLimits } from '../message/limits.ts';
import type { OutboundRequest } from '../message/request.ts';

/** Connections that are opened for one request over HTTP/2, when other requests have taken the earlier ones. */
const MAX_DIALS = 3;

const http1Only = ['http/1.1'];
const bothProtocols = ['h2', 'http/1.1'];

export interface ConnectionsOptions {
  readonly clock: Clock;
  readonly limits: ConnectionLimits;
  /**
   * Opens a connection, with one of these protocols if it has TLS. `NotSent` is thrown with the failure if it is an `ApiError`.
   */
  readonly dial: (protocols: readonly string[], signal: AbortSignal) => Promise<Socket>;
  /** Requests over HTTP/1.1 at a time, each until its answer is returned; further ones wait. Without a limit when absent. */
  readonly maxHttp1?: number;
  /** A connection over HTTP/2 is used for no further requests once one was given up: the server may be gone. */
  readonly isLeftAfterAbort?: boolean;
}

/**
 * Kept connections to one endpoint of one extension API server: over HTTP/2 where the server chooses it, over HTTP/1.1
 * otherwise. They are used for no other server, and with one client certificate.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #sessions = new Set<Http2Session>();
  readonly #closing = new AbortController();
  readonly #http1: Http1Connections;
  readonly #atOnce: Semaphore | undefined;
  #protocol: 'h2' | 'http/1.1' | undefined;
  #dialing: Promise<void> | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#http1 = new Http1Connections(options.clock, options.limits);
    this.#atOnce = options.maxHttp1 === undefined ? undefined : new Semaphore(options.maxHttp1);
  }

  /** Rejects with `NotSent`, `OutboundFailure` or the signal's reason. */
  request(request: OutboundRequest, signal: AbortSignal): Promise<ReceivedAnswer> {
    return this.#now(request, signal) ?? this.#whenConnected(request, signal);
  }

  /** Closes idle connections, and the others when their requests have ended. */
  retire(): void {
    for (const session of [...this.#sessions]) session.retire();
    this.#http1.retire();
  }

  /** Closes all connections at once. */
  destroy(): void {
    this.#closing.abort(new Error('the connections to the extension API server were closed'));
    this.retire();
    this.#http1.destroy();
    for (const session of [...this.#sessions]) session.destroy();
  }

  /** Over a kept connection; undefined without a free one. */
  #now(request: OutboundRequest, signal: AbortSignal): Promise<ReceivedAnswer> | undefined {
    if (this.#protocol === 'http/1.1')
      return this.#atOnce === undefined ? this.#http1.take()?.request(request, signal) : undefined;
    const session = this.#freeSession();
    const answer = session?.request(request, signal);
    if (this.#options.isLeftAfterAbort === true)
      answer?.catch(() => {
        if (signal.aborted) session?.retire();
      });
    return answer;
  }

  async #whenConnected(request: OutboundRequest, signal: AbortSignal): Promise<ReceivedAnswer> {
    for (let attempt = 0; attempt < MAX_DIALS; attempt++) {
      if (this.#protocol === 'http/1.1') return this.#overHttp1(request, signal);
      await abortable(this.#connected(), signal);
      const answer = this.#now(request, signal);
      if (answer !== undefined) return answer;
    }
    throw new NotSent(errors.serviceUnavailable('the server accepts no further requests on new connections'));
  }

  #freeSession(): Http2Session | undefined {
    for (const session of this.#sessions) if (session.hasCapacity) return session;
    return undefined;
  }

  /** Opens a connection, one for all waiting requests, and determines its protocol. */
  #connected(): Promise<void> {
    this.#dialing ??= this.#connect().finally(() => {
      this.#dialing = undefined;
    });
    return this.#dialing;
  }

  async #connect(): Promise<void> {
    const socket = await this.#dial(bothProtocols);
    this.#protocol = socket instanceof TLSSocket && socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1';
    if (this.#protocol === 'http/1.1') this.#http1.keep(this.#http1.over(socket));
    else this.#sessionOver(socket);
  }

  #sessionOver(socket: Socket): void {
    const { clock, limits } = this.#options;
    const session: Http2Session = new Http2Session(socket, {
      clock,
      limits,
      onClosed: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
  }

  async #overHttp1(request: OutboundRequest, signal: AbortSignal): Promise<ReceivedAnswer> {
    const release = await this.#atOnce?.acquire(signal);
    try {
      const kept = this.#http1.take();
      return await (kept?.request(request, signal) ?? this.#overNewHttp1(request, signal));
    } finally {
      release?.();
    }
  }

  async #overNewHttp1(request: OutboundRequest, signal: AbortSignal): Promise<ReceivedAnswer> {
    const opened = this.#dial(http1Only).then((socket) => this.#http1.over(socket));
    try {
      const connection = await abortable(opened, signal);
      return await connection.request(request, signal);
    } catch (error) {
      // The request ended meanwhile: the connection is kept for another one.
      if (signal.aborted)
        opened.then(
          (connection) => this.#http1.keep(connection),
          () => undefined,
        );
      throw error;
    }
  }

  async #dial(protocols: readonly string[]): Promise<Socket> {
    try {
      const socket = await this.#options.dial(protocols, this.#closing.signal);
      // Such sockets stay half open otherwise, and would be kept.
      socket.once('end', () => socket.destroy());
      return socket;
    } catch (error) {
      throw error instanceof ApiError ? new NotSent(error) : error;
    }
  }
}

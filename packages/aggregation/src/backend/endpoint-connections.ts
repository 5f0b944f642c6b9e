import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type BackendAnswer, type BackendRequest, exchange } from '@orch/connect';
import { ApiError, abortable, type Clock, errors } from '@orch/machinery';
import type { ConnectionLimits } from './connection-limits.ts';
import { Http2Session } from './http2-session.ts';
import { NotSent } from './not-sent.ts';

/** Connections without a request that are kept, over HTTP/1.1. */
const MAX_IDLE_CONNECTIONS = 32;
/** Connections that are opened for one request over HTTP/2, when other requests have taken the earlier ones. */
const MAX_DIALS = 3;

const http1Only = ['http/1.1'];
const bothProtocols = ['h2', 'http/1.1'];

export interface EndpointConnectionsOptions {
  readonly clock: Clock;
  readonly limits: ConnectionLimits;
  /** Opens a connection; rejects with an `ApiError`. */
  readonly dial: (protocols: readonly string[], signal: AbortSignal) => Promise<TLSSocket>;
}

/**
 * Kept connections to one endpoint of one extension API server: over HTTP/2 where the server chooses it, over HTTP/1.1
 * otherwise. They are used for no other server, and with one client certificate.
 */
export class EndpointConnections {
  readonly #options: EndpointConnectionsOptions;
  readonly #sessions = new Set<Http2Session>();
  readonly #closing = new AbortController();
  readonly #agent: Agent;
  /** Opened to learn the protocol, and not used yet. */
  readonly #unused: TLSSocket[] = [];
  #protocol: 'h2' | 'http/1.1' | undefined;
  #dialing: Promise<void> | undefined;

  constructor(options: EndpointConnectionsOptions) {
    this.#options = options;
    // Idle connections of an agent are closed by its timeout, or earlier as the server says in its answers.
    this.#agent = new Agent({
      keepAlive: true,
      maxFreeSockets: MAX_IDLE_CONNECTIONS,
      timeout: options.limits.idleMs,
      scheduling: 'lifo',
    });
    this.#agent.createConnection = (_options, callback): undefined => {
      this.#http1Socket().then(
        (socket) => callback?.(null, socket),
        (error: Error) => callback?.(error, undefined as unknown as Duplex),
      );
    };
  }

  /** Rejects with `NotSent`, `BackendFailure` or the signal's reason. */
  async request(request: BackendRequest, signal: AbortSignal): Promise<BackendAnswer> {
    for (let attempt = 0; attempt < MAX_DIALS; attempt++) {
      const session = this.#freeSession();
      if (session !== undefined) return session.request(request, signal);
      if (this.#protocol === 'http/1.1') return this.#overHttp1(request, signal);
      await abortable(this.#connected(), signal);
    }
    throw new NotSent(errors.serviceUnavailable('the server accepts no further requests on new connections'));
  }

  /** Closes idle connections, and the others when their requests have ended. */
  retire(): void {
    for (const session of [...this.#sessions]) session.retire();
    for (const socket of this.#unused.splice(0)) socket.destroy();
    for (const sockets of Object.values(this.#agent.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
    this.#agent.maxFreeSockets = 0;
  }

  /** Closes all connections at once. */
  destroy(): void {
    this.#closing.abort(new Error('the connections to the extension API server were closed'));
    this.retire();
    this.#agent.destroy();
    for (const session of [...this.#sessions]) session.destroy();
  }

  #freeSession(): Http2Session | undefined {
    for (const session of this.#sessions) if (session.hasCapacity) return session;
    return undefined;
  }

  /** Opens a connection, one for all waiting requests, and learns the protocol from it. */
  #connected(): Promise<void> {
    this.#dialing ??= this.#connect().finally(() => {
      this.#dialing = undefined;
    });
    return this.#dialing;
  }

  async #connect(): Promise<void> {
    const socket = await this.#dial(bothProtocols);
    this.#protocol = socket.alpnProtocol === 'h2' ? 'h2' : 'http/1.1';
    if (this.#protocol === 'http/1.1') this.#unused.push(socket);
    else this.#sessionOver(socket);
  }

  #sessionOver(socket: TLSSocket): void {
    const { clock, limits } = this.#options;
    const session: Http2Session = new Http2Session(socket, {
      clock,
      limits,
      onClosed: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
  }

  async #http1Socket(): Promise<TLSSocket> {
    const unused = this.#unused.pop();
    if (unused !== undefined && !unused.destroyed && unused.writable) return unused;
    return this.#dial(http1Only);
  }

  async #overHttp1(request: BackendRequest, signal: AbortSignal): Promise<BackendAnswer> {
    const { clock, limits } = this.#options;
    try {
      return await exchange(this.#agent, request, { clock, signal, answerTimeoutMs: limits.answerMs });
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      throw cause instanceof NotSent ? cause : error;
    }
  }

  async #dial(protocols: readonly string[]): Promise<TLSSocket> {
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

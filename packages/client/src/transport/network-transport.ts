import { checkFiniteOptions, type Env } from '@orch/machinery';
import { abortable, Backoff } from '@orch/machinery/concurrency';
import type { Identity } from '../credentials/types.ts';
import { LostBeforeAnswer, type WireRequest } from './connection.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import type { HttpProtocol, Route } from './dial.ts';
import { checkHeaders, checkTarget } from './request-check.ts';
import { routeOf } from './route-of.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Timeouts and protocols of connections, in milliseconds. */
export interface NetworkTransportOptions {
  /** TCP, TLS and proxy together; 10 s. */
  readonly connectTimeoutMs?: number;
  /** Time without data before a ping (15 s), and for its response, `keepAliveTimeoutMs` (15 s). */
  readonly keepAliveIntervalMs?: number;
  readonly keepAliveTimeoutMs?: number;
  /** Time for requests to complete when their connection is replaced because of another certificate; 10 s. */
  readonly retireGraceMs?: number;
  /**
   * Offered to a TLS server, in order of preference; HTTP/2 first when absent. Without HTTP/2, the runtime loads less before the first
   * request, and concurrent requests use several connections.
   */
  readonly protocols?: readonly HttpProtocol[];
}

/** Attempts for a request that was certainly not processed. */
const MAX_ATTEMPTS = 5;
/** Delays of retries after the first one. */
const MIN_RETRY_MS = 200;
const MAX_RETRY_MS = 800;

/**
 * The transport over the network: one HTTP/2 connection, or kept HTTP/1.1 connections if the server does not support
 * HTTP/2. Retries requests that were certainly not processed, requests without effects whose connection was lost before the
 * response, and once after a 401 if there is another identity.
 * Throws a TypeError for settings without a valid server.
 */
export function networkTransport(
  settings: ConnectionSettings,
  env: Pick<Env, 'clock' | 'random'>,
  options: NetworkTransportOptions = {},
): Transport {
  checkFiniteOptions(options, ['connectTimeoutMs', 'keepAliveIntervalMs', 'keepAliveTimeoutMs'], {
    above: 0,
  });
  checkFiniteOptions(options, ['retireGraceMs'], { least: 0 });
  return new NetworkTransport(settings, env, options);
}

class NetworkTransport implements Transport {
  readonly #settings: ConnectionSettings;
  readonly #env: Pick<Env, 'clock' | 'random'>;
  readonly #route: Route;
  readonly #pool: ConnectionPool;
  readonly #stopListening: () => void;

  constructor(
    settings: ConnectionSettings,
    env: Pick<Env, 'clock' | 'random'>,
    options: NetworkTransportOptions,
  ) {
    this.#settings = settings;
    this.#env = env;
    this.#route = routeOf(settings, options.connectTimeoutMs ?? 10_000, options.protocols);
    this.#pool = new ConnectionPool(this.#route, env.clock, {
      keepAlive: {
        intervalMs: options.keepAliveIntervalMs ?? 15_000,
        timeoutMs: options.keepAliveTimeoutMs ?? 15_000,
      },
      retireGraceMs: options.retireGraceMs ?? 10_000,
    });
    this.#stopListening = settings.credentials.onTlsChange(() =>
      this.#pool.retireAll('the client certificate has changed'),
    );
  }

  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    signal.throwIfAborted();
    const { credentials } = this.#settings;
    const identity = await credentials.current(signal);
    const response = await this.#sendAs(identity, request, signal);
    if (response.status !== 401 || !credentials.rejected(identity)) return response;
    await response.body[Symbol.asyncIterator]().return?.();
    return this.#sendAs(await credentials.current(signal), request, signal);
  }

  async #sendAs(
    identity: Identity,
    request: TransportRequest,
    signal: AbortSignal,
  ): Promise<TransportResponse> {
    const wire = this.#wireRequest(request, identity);
    let backoff: Backoff | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const connection = await abortable(this.#pool.connection(identity.tls), signal);
        request.beforeWriting?.();
        return await connection.send(wire, signal);
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !canBeSentAgain(error, request)) throw error;
      }
      // The first retry over another connection is immediate, later ones are delayed.
      if (attempt === 1) continue;
      backoff ??= new Backoff(this.#env, MIN_RETRY_MS, MAX_RETRY_MS);
      await backoff.wait(signal);
    }
  }

  #wireRequest({ method, target, headers, body }: TransportRequest, identity: Identity): WireRequest {
    const { endpoint } = this.#route;
    const all = {
      ...(this.#settings.disableCompression ? {} : { 'accept-encoding': 'gzip' }),
      ...headers,
      ...identity.headers,
      host: endpoint.authority,
      ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
    };
    checkTarget(target);
    checkHeaders(all);
    return { method, path: endpoint.basePath + target, headers: all, body };
  }

  reset(reason: string): void {
    this.#pool.destroyAll(reason);
  }

  async close(): Promise<void> {
    this.#stopListening();
    this.#pool.close();
  }
}

/** Reports whether a request can be retried: it was certainly not processed, or has no effects and lost its connection. */
const canBeSentAgain = (error: unknown, { method }: TransportRequest): boolean =>
  error instanceof LostBeforeAnswer && (error.outcome === 'notSent' || method === 'GET' || method === 'HEAD');

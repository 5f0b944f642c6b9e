import { createSecureContext, type PeerCertificate, type SecureContext, TLSSocket } from 'node:tls';
import type { BackendDialer, EndpointAddress } from '@orch/connect';
import { type Clock, errors, type Random } from '@orch/machinery';
import {
  type ConnectionLimits,
  Connections,
  type Destination,
  NotSent,
  type OutboundRequest,
  type ReceivedAnswer,
} from '@orch/outbound';
import { type RemoteApiService, serviceTitle } from '../api-services/api-service.ts';
import type { CurrentProxyIdentity, ProxyIdentity } from './proxy-identity.ts';
import type { ServiceEndpoints } from './service-endpoints.ts';

/** Endpoints that are tried for one request. */
const MAX_ENDPOINTS = 3;

/** The kept connections to one endpoint. */
export type EndpointConnections = Pick<Connections, 'request' | 'retire'>;

/** Makes the connections to an endpoint of a service. */
export type OpenConnections = (endpoint: EndpointAddress) => EndpointConnections;

export interface BackendOptions {
  readonly declared: RemoteApiService;
  readonly endpoints: ServiceEndpoints;
  readonly identity: CurrentProxyIdentity;
  readonly dialer: BackendDialer;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: ConnectionLimits;
  /** Called with the certificate of each new connection. */
  readonly connected: (certificate: PeerCertificate) => void;
  /** Used instead of connections over TLS when present. */
  readonly openConnections?: OpenConnections | undefined;
}

/** The TLS context of connections, for as long as the client certificate is the same. */
interface Secured {
  readonly identity: ProxyIdentity | undefined;
  readonly context: SecureContext;
}

/** An extension API server: the endpoints of its service, and the kept connections to them. */
export class Backend implements Disposable {
  readonly #options: BackendOptions;
  readonly #connections = new Map<string, EndpointConnections>();
  /** Time of the last failed attempt to connect to an endpoint, by the monotonic clock. */
  readonly #failedAt = new Map<string, number>();
  #secured: Secured | undefined;
  /** Connections to other addresses are not kept. */
  #present: readonly EndpointAddress[] | undefined;

  constructor(options: BackendOptions) {
    this.#options = options;
  }

  /** The state of the service; never throws. */
  get endpoints(): ServiceEndpoints {
    return this.#options.endpoints;
  }

  /** For messages: the service and its namespace. */
  get title(): string {
    return serviceTitle(this.#options.declared.service);
  }

  /** The name and port of the service, as the Host field of requests. */
  get host(): string {
    return `${this.#serverName}:${this.#options.declared.service.port}`;
  }

  /**
   * The endpoints in the order in which they are tried: at random, those that could not be connected to recently last.
   * Throws `NotSent` without any.
   */
  ordered(limit = MAX_ENDPOINTS): readonly EndpointAddress[] {
    const state = this.#options.endpoints.current();
    if (state.kind === 'missing') throw new NotSent(errors.serviceUnavailable(state.availability.message));
    this.#dropOthers(state.endpoints);
    const { endpoints } = state;
    if (endpoints.length === 1) return endpoints;
    const start = endpoints.length === 0 ? 0 : this.#options.random.int(endpoints.length);
    const turned = [...endpoints.slice(start), ...endpoints.slice(0, start)];
    if (this.#failedAt.size === 0) return turned.slice(0, limit);
    return turned.sort((a, b) => this.#avoidance(a) - this.#avoidance(b)).slice(0, limit);
  }

  /**
   * Sends a request over a kept connection, to another endpoint when nothing was sent to the first. Rejects with
   * `NotSent` when no endpoint can be connected to, with `OutboundFailure` when one failed after that, or with the signal's
   * reason.
   */
  request(request: OutboundRequest, signal: AbortSignal): Promise<ReceivedAnswer> {
    return this.attempt((endpoint) => this.requestAt(endpoint, request, signal));
  }

  /** Sends a request to one endpoint; rejects with `NotSent` when it cannot be connected to. */
  requestAt(
    endpoint: EndpointAddress,
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<ReceivedAnswer> {
    return this.#connectionsTo(endpoint).request(request, signal);
  }

  /** Tries endpoints until one does not fail with `NotSent`. Rejects with the last failure. */
  async attempt<T>(work: (endpoint: EndpointAddress) => Promise<T>): Promise<T> {
    let last: NotSent | undefined;
    for (const endpoint of this.ordered()) {
      try {
        const result = await work(endpoint);
        if (this.#failedAt.size > 0) this.#failedAt.delete(keyOf(endpoint));
        return result;
      } catch (error) {
        if (!(error instanceof NotSent)) throw error;
        last = error;
        this.#failedAt.set(keyOf(endpoint), this.#options.clock.monotonic());
      }
    }
    throw last ?? new NotSent(errors.serviceUnavailable(`no endpoints available for ${this.title}`));
  }

  /** Opens a connection for one user of it. Rejects with an `ApiError`. */
  async dial(
    endpoint: EndpointAddress,
    { protocols, timeoutMs }: { readonly protocols: readonly string[]; readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<TLSSocket> {
    const { dialer, connected } = this.#options;
    const socket = await dialer.dial(this.#destination(endpoint, protocols), timeoutMs, signal);
    if (!(socket instanceof TLSSocket)) throw new TypeError('a connection without TLS');
    connected(socket.getPeerCertificate());
    return socket;
  }

  /** The destination of a connection, with its TLS settings. */
  #destination({ host, port }: EndpointAddress, protocols: readonly string[]): Destination {
    const { declared, endpoints } = this.#options;
    return {
      host,
      port,
      use: 'workload',
      accepts: endpoints.accepts,
      title: this.title,
      tls: {
        context: this.#context(),
        verify: !declared.trust.insecure,
        serverName: this.#serverName,
        protocols,
      },
    };
  }

  /** Ends unused connections now, and the others with their requests. */
  [Symbol.dispose](): void {
    for (const connections of this.#connections.values()) connections.retire();
    this.#connections.clear();
  }

  get #serverName(): string {
    const { namespace, name } = this.#options.declared.service;
    return `${name}.${namespace}.svc`;
  }

  #connectionsTo(endpoint: EndpointAddress): EndpointConnections {
    this.#renewContext();
    const key = keyOf(endpoint);
    const known = this.#connections.get(key);
    if (known !== undefined) return known;
    const made = this.#options.openConnections?.(endpoint) ?? this.#overTls(endpoint);
    this.#connections.set(key, made);
    this.#present = undefined;
    return made;
  }

  #overTls(endpoint: EndpointAddress): Connections {
    const { clock, limits } = this.#options;
    return new Connections({
      clock,
      limits,
      dial: (protocols, signal) => this.dial(endpoint, { protocols, timeoutMs: limits.dialMs }, signal),
    });
  }

  /** Connections with an earlier client certificate get no further requests. */
  #renewContext(): void {
    if (this.#secured === undefined || this.#secured.identity === this.#options.identity()) return;
    this.#secured = undefined;
    this[Symbol.dispose]();
  }

  #context(): SecureContext {
    this.#secured ??= this.#secure();
    return this.#secured.context;
  }

  #secure(): Secured {
    const { declared, identity } = this.#options;
    const own = identity();
    const { authorities } = declared.trust;
    const context = createSecureContext({
      minVersion: 'TLSv1.2',
      // A certificate among the authorities is trusted itself, even when it is that of the service.
      ...(authorities === '' ? {} : { ca: authorities, allowPartialTrustChain: true }),
      ...(own === undefined ? {} : { cert: own.cert, key: own.key }),
    });
    return { identity: own, context };
  }

  /** Connections to addresses that no longer belong to the service get no further requests. */
  #dropOthers(endpoints: readonly EndpointAddress[]): void {
    if (this.#present === endpoints) return;
    this.#present = endpoints;
    const present = new Set(endpoints.map(keyOf));
    for (const [key, connections] of this.#connections) {
      if (present.has(key)) continue;
      connections.retire();
      this.#connections.delete(key);
      this.#failedAt.delete(key);
    }
  }

  #avoidance(endpoint: EndpointAddress): number {
    const failedAt = this.#failedAt.get(keyOf(endpoint));
    if (failedAt === undefined) return 0;
    return this.#options.clock.monotonic() - failedAt < this.#options.limits.avoidMs ? 1 : 0;
  }
}

const keyOf = ({ host, port }: EndpointAddress): string => `${host} ${port}`;

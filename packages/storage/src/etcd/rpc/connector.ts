import type { Cancel, Clock, Logger, Random } from '@orch/machinery';
import { Backoff } from '@orch/machinery/concurrency';
import type { Connection } from '../http2/connection.ts';
import { dial, type OpenTransport, type TlsSource } from './dial.ts';
import type { Endpoint } from './endpoint.ts';

export interface ConnectorOptions {
  readonly endpoints: readonly Endpoint[];
  readonly tls: TlsSource | undefined;
  /** Replaces sockets. */
  readonly openTransport?: OpenTransport | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly dialTimeoutMs: number;
  /** The name of the endpoints' owner, for the log. */
  readonly peer: string;
  /** An endpoint that is skipped while there are others. */
  readonly avoid?: () => Endpoint | undefined;
}

/** Events for the channel. */
export interface ConnectorEvents {
  /** `current` is a new connection. */
  connected(): void;
  /** `current` accepts streams again, after it was full. */
  available(): void;
  /** Calls on the connection should move to another. */
  draining(connection: Connection): void;
  /** The connector switches to another member: calls on the connection should not wait for it. */
  left(connection: Connection, reason: string): void;
  /** Reports whether calls wait for a connection. */
  wanted(): boolean;
}

const BASE_DELAY_MS = 50;
const MAX_DELAY_MS = 3000;
/** In a cluster without a leader no member works: switching faster than this does not help. */
const MIN_STAY_MS = 1000;

/**
 * Maintains one current connection, trying one endpoint after the other, while calls need one. After every endpoint
 * has failed it waits, with exponential backoff and jitter. Previous connections stay open until their calls end.
 */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #events: ConnectorEvents;
  readonly #backoff: Backoff;
  readonly #endpoints = new Map<Connection, Endpoint>();
  #current: Connection | undefined;
  #connectedAt = 0;
  #next: number;
  #failures = 0;
  #connecting = false;
  #cancelDelay: Cancel | undefined;
  #closed = false;
  #lastFailure: Error | undefined;
  #endpoint: Endpoint | undefined;

  constructor(options: ConnectorOptions, events: ConnectorEvents) {
    this.#options = options;
    this.#events = events;
    this.#backoff = new Backoff(options, BASE_DELAY_MS, MAX_DELAY_MS);
    // Replicas with the same list should not all connect to its first member.
    this.#next = options.random.int(options.endpoints.length);
  }

  get current(): Connection | undefined {
    return this.#current;
  }

  /** The endpoint of the last attempt: that of the current connection, if there is one. */
  get endpoint(): Endpoint | undefined {
    return this.#endpoint;
  }

  /** The last error, while no connection could be made. */
  get lastFailure(): Error | undefined {
    return this.#lastFailure;
  }

  connections(): readonly Connection[] {
    return [...this.#endpoints.keys()];
  }

  endpointOf(connection: Connection): Endpoint {
    const endpoint = this.#endpoints.get(connection);
    if (endpoint === undefined) throw new Error('the connection belongs to another channel');
    return endpoint;
  }

  /** Connects unless there is a connection or an attempt. */
  connect(): void {
    // A connection that was just lost is still the current one while its calls end; `closed` handles the rest.
    if (this.#current !== undefined || this.#connecting || this.#closed) return;
    this.#connecting = true;
    this.#attempt();
  }

  /**
   * Directs new calls to another endpoint. Returns false when the connection is kept: it is the only one, or too new.
   */
  leave(connection: Connection, reason: string): boolean {
    const alone = this.#options.endpoints.length < 2;
    const young = this.#options.clock.monotonic() - this.#connectedAt < MIN_STAY_MS;
    if (connection !== this.#current || alone || young) return false;
    this.#options.log.warn(`leaving a member of ${this.#options.peer}`, {
      endpoint: this.endpointOf(connection).url,
      reason,
    });
    this.#current = undefined;
    connection.drain();
    this.#events.left(connection, reason);
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#cancelDelay?.();
    for (const connection of this.connections()) connection.close();
  }

  #attempt(): void {
    const { clock, tls, openTransport, dialTimeoutMs } = this.#options;
    const endpoint = this.#nextEndpoint();
    this.#endpoint = endpoint;
    let connection: Connection | undefined;
    dial(
      endpoint,
      { clock, tls, openTransport, timeoutMs: dialTimeoutMs },
      {
        draining: () => connection !== undefined && this.#onDraining(connection),
        capacity: () => connection === this.#current && this.#events.available(),
        closed: (cause) => connection !== undefined && this.#onClosed(connection, cause),
      },
    ).then(
      (established) => {
        connection = established;
        this.#onConnected(established, endpoint);
      },
      (error: unknown) => this.#onFailed(error),
    );
  }

  #nextEndpoint(): Endpoint {
    const { endpoints, avoid } = this.#options;
    const avoided = endpoints.length > 1 ? avoid?.() : undefined;
    for (;;) {
      const endpoint = endpoints[this.#next++ % endpoints.length];
      if (endpoint !== undefined && endpoint !== avoided) return endpoint;
    }
  }

  #onConnected(connection: Connection, endpoint: Endpoint): void {
    this.#connecting = false;
    if (!connection.usable) {
      // It was closed between its first frame and this tick, before its events were forwarded.
      connection.close();
      this.#onFailed(new Error(`${endpoint.url} closed the connection`));
      return;
    }
    this.#endpoints.set(connection, endpoint);
    if (this.#closed) {
      connection.close();
      return;
    }
    this.#current = connection;
    this.#lastFailure = undefined;
    this.#connectedAt = this.#options.clock.monotonic();
    this.#options.log.debug(2, `connected to ${this.#options.peer}`, { endpoint: endpoint.url });
    this.#events.connected();
  }

  #onFailed(error: unknown): void {
    this.#connecting = false;
    if (this.#closed) return;
    this.#lastFailure = error instanceof Error ? error : new Error(String(error));
    this.#options.log.warn(`cannot connect to ${this.#options.peer}`, {
      endpoint: this.#endpoint?.url,
      reason: this.#lastFailure.message,
    });
    this.#retry();
  }

  #onDraining(connection: Connection): void {
    if (connection === this.#current) this.#current = undefined;
    this.#events.draining(connection);
    if (this.#events.wanted()) this.connect();
  }

  #onClosed(connection: Connection, cause: Error | undefined): void {
    const endpoint = this.#endpoints.get(connection);
    this.#endpoints.delete(connection);
    if (cause !== undefined && !this.#closed) {
      this.#options.log.warn(`lost the connection to ${this.#options.peer}`, {
        endpoint: endpoint?.url,
        reason: cause.message,
      });
    }
    if (connection !== this.#current) return;
    this.#current = undefined;
    if (this.#options.clock.monotonic() - this.#connectedAt < MIN_STAY_MS) {
      this.#retry();
      return;
    }
    this.#failures = 0;
    this.#backoff.reset();
    if (this.#events.wanted()) this.connect();
  }

  /** Tries the next endpoint at once, or, after all have failed, after a delay. */
  #retry(): void {
    this.#failures++;
    if (this.#closed || this.#connecting || !this.#events.wanted()) return;
    this.#connecting = true;
    const round = this.#failures % this.#options.endpoints.length === 0;
    if (round) this.#cancelDelay = this.#options.clock.schedule(this.#backoff.next(), () => this.#attempt());
    else this.#attempt();
  }
}

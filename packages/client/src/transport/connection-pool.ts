import type { Clock } from '@orch/machinery';
import type { Identity } from '../credentials/types.ts';
import { type Connection, LostBeforeAnswer } from './connection.ts';
import { type Dialled, dial, type Route } from './dial.ts';
import { Http1Connection } from './http1-connection.ts';
import { openHttp2 } from './http2-connection.ts';
import type { KeepAliveTimes } from './keep-alive.ts';
import { TransportError } from './transport.ts';

/** Maximum number of connections. Further requests wait for a stream. */
const MAX_CONNECTIONS = 8;

export interface PoolTimes {
  readonly keepAlive: KeepAliveTimes;
  readonly retireGraceMs: number;
}

/** The connections of one transport: one, unless the server allows too few streams. */
export class ConnectionPool {
  readonly #route: Route;
  readonly #clock: Clock;
  readonly #times: PoolTimes;
  /** Including connections without new requests, while they have requests in progress. */
  #connections: Connection[] = [];
  #tls: Identity['tls'];
  #dialling: Promise<Connection> | undefined;
  /** Aborts the current dial when all connections end. */
  #epoch = new AbortController();
  #isClosed = false;

  constructor(route: Route, clock: Clock, times: PoolTimes) {
    this.#route = route;
    this.#clock = clock;
    this.#times = times;
  }

  /** A connection with this certificate. Concurrent callers share one attempt to connect. */
  async connection(tls: Identity['tls']): Promise<Connection> {
    if (this.#isClosed) throw new TransportError('notSent', 'the client is closed');
    if (!isSame(tls, this.#tls)) this.retireAll('the client certificate has changed');
    this.#tls = tls;
    this.#connections = this.#connections.filter((one) => !(one.isOver && one.isIdle));
    const open = this.#connections.filter((one) => !one.isOver);
    const usable = open.find((one) => one.isUsable);
    if (usable !== undefined) return usable;
    const [first] = open;
    if (first !== undefined && open.length >= MAX_CONNECTIONS) return first;
    this.#dialling ??= this.#dial(tls, this.#epoch.signal);
    return this.#dialling;
  }

  #dial(tls: Identity['tls'], signal: AbortSignal): Promise<Connection> {
    const made = dial(this.#route, { tls, clock: this.#clock }, signal).then((dialled) =>
      this.#over(dialled, tls, signal),
    );
    const dialling = made.finally(() => {
      if (this.#dialling === dialling) this.#dialling = undefined;
    });
    return dialling;
  }

  #over({ socket, protocol }: Dialled, tls: Identity['tls'], signal: AbortSignal): Connection {
    const connection =
      protocol === 'h2'
        ? openHttp2(socket, this.#route.endpoint.origin, { clock: this.#clock, times: this.#times.keepAlive })
        : new Http1Connection(
            socket,
            async () => (await dial(this.#route, { tls, clock: this.#clock }, signal)).socket,
            this.#clock,
          );
    if (signal.aborted) {
      connection.destroy(String(signal.reason));
      throw signal.reason;
    }
    this.#connections.push(connection);
    return connection;
  }

  /** New requests use new connections; current ones have some time to complete. */
  retireAll(reason: string): void {
    this.#newEpoch(reason);
    for (const connection of this.#connections) connection.retire(this.#times.retireGraceMs, reason);
  }

  destroyAll(reason: string): void {
    this.#newEpoch(reason);
    for (const connection of this.#connections.splice(0)) connection.destroy(reason);
  }

  #newEpoch(reason: string): void {
    this.#epoch.abort(new LostBeforeAnswer('notSent', reason));
    this.#epoch = new AbortController();
    this.#dialling = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.destroyAll('the client is closed');
  }
}

const isSame = (a: Identity['tls'], b: Identity['tls']): boolean =>
  a === b || (a?.cert === b?.cert && a?.key === b?.key);

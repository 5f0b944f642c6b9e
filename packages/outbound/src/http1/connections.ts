import type { Socket } from 'node:net';
import type { Cancel, Clock } from '@orch/machinery';
import { DeadlineQueue } from '@orch/machinery/concurrency';
import { Http1Connection } from './connection.ts';

/** Connections without a request that are kept. */
const MAX_IDLE_CONNECTIONS = 32;
/**
 * A connection is no longer used this long before the server closes it as announced: a request may be in flight then.
 */
const MARGIN_MS = 1_000;

/** Timeouts of connections, in milliseconds. */
export interface Http1Limits {
  /** A kept connection without requests is closed after this time; only by the server when absent. */
  readonly idleMs?: number;
  /** Time limit for the head of an answer; none when absent. */
  readonly answerMs?: number;
}

interface Idle {
  readonly connection: Http1Connection;
  /** By the monotonic clock. */
  readonly until: number;
}

/** Connections over HTTP/1.1 to one endpoint; those without a request are kept for a time. */
export class Http1Connections {
  readonly #clock: Clock;
  readonly #limits: Http1Limits;
  readonly #answers: DeadlineQueue | undefined;
  readonly #open = new Set<Http1Connection>();
  /** The connection that was used last is reused first. */
  #idle: Idle[] = [];
  #timer: Cancel | undefined;
  #isRetired = false;

  constructor(clock: Clock, limits: Http1Limits) {
    this.#clock = clock;
    this.#limits = limits;
    const { answerMs } = limits;
    this.#answers = answerMs === undefined ? undefined : new DeadlineQueue(clock, answerMs);
  }

  /** A kept connection for a request; undefined when there is none. */
  take(): Http1Connection | undefined {
    const now = this.#clock.monotonic();
    for (;;) {
      const last = this.#idle.pop();
      if (last === undefined) return undefined;
      if (last.connection.isOpen && last.until > now) {
        last.connection.hold(true);
        return last.connection;
      }
      last.connection.destroy();
    }
  }

  /** A connection over a socket. */
  over(socket: Socket): Http1Connection {
    const connection = new Http1Connection(socket, {
      answers: this.#answers,
      onFree: (free, keptSeconds) => this.keep(free, keptSeconds),
      onClosed: (closed) => this.#open.delete(closed),
    });
    this.#open.add(connection);
    return connection;
  }

  /** Keeps an idle connection, at most as long as the server announces. */
  keep(connection: Http1Connection, keptSeconds?: number): void {
    const { idleMs = Infinity } = this.#limits;
    const keptMs = keptSeconds === undefined ? idleMs : Math.min(idleMs, keptSeconds * 1000 - MARGIN_MS);
    const isKept = connection.isOpen && !this.#isRetired && this.#idle.length < MAX_IDLE_CONNECTIONS;
    if (!isKept || keptMs <= 0) {
      connection.destroy();
      return;
    }
    connection.hold(false);
    this.#idle.push({ connection, until: this.#clock.monotonic() + keptMs });
    if (idleMs < Infinity) this.#timer ??= this.#clock.schedule(keptMs, () => this.#closeExpired());
  }

  /** Closes idle connections now, and the others after their requests. */
  retire(): void {
    this.#isRetired = true;
    this.#timer?.();
    for (const { connection } of this.#idle.splice(0)) connection.destroy();
  }

  /** Closes all connections. */
  destroy(): void {
    this.retire();
    this.#answers?.close();
    for (const connection of this.#open) connection.destroy();
  }

  #closeExpired(): void {
    const now = this.#clock.monotonic();
    const all = this.#idle;
    this.#idle = all.filter(({ connection, until }) => connection.isOpen && until > now);
    for (const { connection, until } of all) if (until <= now) connection.destroy();
    const next = Math.min(...this.#idle.map(({ until }) => until));
    this.#timer =
      this.#idle.length === 0 ? undefined : this.#clock.schedule(next - now, () => this.#closeExpired());
  }
}

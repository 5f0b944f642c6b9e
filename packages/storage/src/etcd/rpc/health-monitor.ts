import type { Clock } from '@orch/machinery';
import type { Connection } from '../http2/connection.ts';

interface Sighting {
  activity: number;
  /** Monotonic time at which `activity` was seen to change. */
  since: number;
  /** Monotonic time of the last PING. */
  pingedAt: number;
  /** Nothing came since that PING. */
  unanswered: boolean;
}

/** Silence that is enough for a doubt while somebody waits for an answer. */
const IMPATIENT_MS = 2000;
/** etcd counts pings that come in less than 5 s and closes the connection after a few. */
const MIN_PING_GAP_MS = 5500;

export interface HealthOptions {
  readonly clock: Clock;
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
}

/**
 * Finds connections whose peer has fallen silent, from being asked now and then. Only connections with calls on them
 * are pinged: etcd closes those that ping without.
 */
export class HealthMonitor {
  readonly #options: HealthOptions;
  readonly #sightings = new WeakMap<Connection, Sighting>();

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Milliseconds since something was seen to arrive. */
  silentFor(connection: Connection): number {
    const now = this.#options.clock.monotonic();
    const sighting = this.#look(connection, now);
    return now - sighting.since;
  }

  /**
   * Pings a connection that is silent, and closes it when the ping stays unanswered. `awaited`: an answer is due, so
   * that silence means more.
   */
  check(connection: Connection, now: number, awaited: boolean): void {
    const { keepaliveMs, keepaliveTimeoutMs } = this.#options;
    const sighting = this.#look(connection, now);
    if (connection.streamCount === 0) {
      sighting.since = now;
      sighting.unanswered = false;
    } else if (sighting.unanswered) {
      if (now - sighting.pingedAt >= keepaliveTimeoutMs) connection.close(new Error('the peer is silent'));
    } else {
      const patienceMs = awaited ? Math.min(IMPATIENT_MS, keepaliveMs) : keepaliveMs;
      if (now - sighting.since < patienceMs || now - sighting.pingedAt < MIN_PING_GAP_MS) return;
      sighting.pingedAt = now;
      sighting.unanswered = true;
      connection.ping();
    }
  }

  #look(connection: Connection, now: number): Sighting {
    let sighting = this.#sightings.get(connection);
    if (sighting === undefined) {
      sighting = {
        activity: connection.activity,
        since: now,
        pingedAt: Number.NEGATIVE_INFINITY,
        unanswered: false,
      };
      this.#sightings.set(connection, sighting);
    } else if (sighting.activity !== connection.activity) {
      sighting.activity = connection.activity;
      sighting.since = now;
      sighting.unanswered = false;
    }
    return sighting;
  }
}

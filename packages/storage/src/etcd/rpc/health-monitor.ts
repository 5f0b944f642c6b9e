import type { Clock } from '@orch/machinery';
import type { Connection } from '../http2/connection.ts';

interface Sighting {
  activity: number;
  /** Monotonic time at which a change of `activity` was observed. */
  since: number;
  /** Monotonic time of the last PING. */
  pingedAt: number;
  /** Nothing was received since that PING. */
  unanswered: boolean;
}

/** Time without data after which a connection is pinged while a call waits for an answer. */
const IMPATIENT_MS = 2000;
/** etcd counts pings at intervals below 5 s and closes the connection after a few. */
const MIN_PING_GAP_MS = 5500;

export interface HealthOptions {
  readonly clock: Clock;
  readonly keepaliveMs: number;
  readonly keepaliveTimeoutMs: number;
}

/**
 * Detects connections whose peer does not answer; called periodically. Only connections with calls are pinged: etcd
 * closes connections that ping without calls.
 */
export class HealthMonitor {
  readonly #options: HealthOptions;
  readonly #sightings = new WeakMap<Connection, Sighting>();

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Milliseconds since data was observed to arrive. */
  silentFor(connection: Connection): number {
    const now = this.#options.clock.monotonic();
    const sighting = this.#look(connection, now);
    return now - sighting.since;
  }

  /**
   * Pings a connection without incoming data, and closes it when the ping is not answered. `awaited`: a call waits for
   * an answer, so the ping is sent earlier.
   */
  check(connection: Connection, now: number, awaited: boolean): void {
    const { keepaliveMs, keepaliveTimeoutMs } = this.#options;
    const sighting = this.#look(connection, now);
    if (connection.streamCount === 0) {
      sighting.since = now;
      sighting.unanswered = false;
    } else if (sighting.unanswered) {
      if (now - sighting.pingedAt >= keepaliveTimeoutMs)
        connection.close(new Error('the peer does not answer'));
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

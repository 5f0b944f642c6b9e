import type { Clock } from '@orch/machinery';
import type { Connection } from '../http2/connection.ts';

interface Sighting {
  activity: number;
  /** Monotonic time at which `activity` was seen to change. */
  since: number;
  /** Monotonic time of the PING that is unanswered, or undefined. */
  pingedAt: number | undefined;
}

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

  /** Pings a connection that is silent, and closes it when the ping stays unanswered. */
  check(connection: Connection, now: number): void {
    const sighting = this.#look(connection, now);
    if (connection.streamCount === 0) {
      sighting.since = now;
      sighting.pingedAt = undefined;
    } else if (sighting.pingedAt !== undefined) {
      if (now - sighting.pingedAt >= this.#options.keepaliveTimeoutMs)
        connection.close(new Error('the peer is silent'));
    } else if (now - sighting.since >= this.#options.keepaliveMs) {
      sighting.pingedAt = now;
      connection.ping();
    }
  }

  #look(connection: Connection, now: number): Sighting {
    let sighting = this.#sightings.get(connection);
    if (sighting === undefined) {
      sighting = { activity: connection.activity, since: now, pingedAt: undefined };
      this.#sightings.set(connection, sighting);
    } else if (sighting.activity !== connection.activity) {
      sighting.activity = connection.activity;
      sighting.since = now;
      sighting.pingedAt = undefined;
    }
    return sighting;
  }
}

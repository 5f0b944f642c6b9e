import type { Throughput } from '../../lib/paced-requests.ts';

/** Percentiles of latencies, in milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  /** CPU that the main thread of the server used during a request. */
  readonly cpuP99: number;
  /** Requests that the server was too busy for. */
  readonly refused: number;
}

/** What others notice of an attack. */
export interface Experience {
  readonly get: Percentiles;
  readonly health: Percentiles;
  /** Renewals of the lease of a leader. */
  readonly renewal: Percentiles;
  /** GET requests of a user who sends as many as the server answers. */
  readonly throughput: Throughput;
}

/** Bounds on the memory and time that one client can occupy. Sizes in bytes, durations in milliseconds. */
export interface HttpLimits {
  /** Request line and header fields together. */
  readonly maxHeadBytes: number;
  readonly maxHeaderFields: number;
  /** Bytes of later requests that are buffered while one is being answered; beyond it the socket is not read. */
  readonly maxPipelinedBytes: number;
  /** An unread request body up to this size is discarded to keep the connection; a larger one closes it. */
  readonly maxDiscardedBodyBytes: number;
  /**
   * Bytes behind the reply that closes their connection, which all clients together may send in a burst and per second after it.
   * Further ones are not read: the system refuses them when it has no room for more, and the connection is reset after
   * `lingerTimeoutMs`.
   */
  readonly lateBurstBytes: number;
  readonly lateBytesPerSecond: number;
  /** A client with this many unread bytes of a stream is disconnected at once. */
  readonly maxUnsentBytes: number;
  /** Time from the start of a connection, or the first byte of a further request, to the end of the request's head. */
  readonly headTimeoutMs: number;
  /** Time that a connection may be without a request. */
  readonly idleTimeoutMs: number;
  /** Time for which a client may read nothing although there is unsent data. */
  readonly stallTimeoutMs: number;
  /** The same where a person at a terminal may have paused reading: logs and proxied programs. */
  readonly patienceTimeoutMs: number;
  /** Time between the last byte of the server and a forced close, in which the client can read that byte. */
  readonly lingerTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
  /**
   * While the server shuts down: how long a connection without a request stays open, since the client may have sent one already.
   */
  readonly drainIdleTimeoutMs: number;
  readonly maxConcurrentStreams: number;
  /** Streams that a client may reset in a burst, and per second after it, before its connection is closed. */
  readonly streamResetBurst: number;
  readonly streamResetsPerSecond: number;
  /**
   * Bytes that an HTTP/2 client may send besides requests in a burst, and per second after it, before its connection is closed:
   * changes of windows, settings, padding, empty frames.
   */
  readonly overheadBurstBytes: number;
  readonly overheadBytesPerSecond: number;
  /** Interval between checks of that limit. */
  readonly inspectionIntervalMs: number;
  /** Interval between checks of an HTTP/2 connection that is ending. It is closed when more than `maxDiscardedBodyBytes` have arrived. */
  readonly endInspectionIntervalMs: number;
  /** Probability, from 0 to 1, that a request is the last one of its connection: GOAWAY, or `Connection: close` in HTTP/1.1. */
  readonly goawayChance: number;
}

export const defaultLimits: HttpLimits = {
  maxHeadBytes: 64 * 1024,
  maxHeaderFields: 200,
  maxPipelinedBytes: 64 * 1024,
  maxDiscardedBodyBytes: 256 * 1024,
  lateBurstBytes: 16 * 1024 * 1024,
  lateBytesPerSecond: 4 * 1024 * 1024,
  maxUnsentBytes: 16 * 1024 * 1024,
  headTimeoutMs: 32_000,
  idleTimeoutMs: 90_000,
  stallTimeoutMs: 60_000,
  patienceTimeoutMs: 4 * 3_600_000,
  lingerTimeoutMs: 2_000,
  handshakeTimeoutMs: 10_000,
  drainIdleTimeoutMs: 1_000,
  maxConcurrentStreams: 250,
  streamResetBurst: 500,
  streamResetsPerSecond: 50,
  overheadBurstBytes: 2 * 1024 * 1024,
  overheadBytesPerSecond: 64 * 1024,
  inspectionIntervalMs: 1_000,
  endInspectionIntervalMs: 100,
  goawayChance: 0,
};

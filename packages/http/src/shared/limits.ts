/** Bounds on what one client can make the server hold or wait for. Sizes in bytes, durations in milliseconds. */
export interface HttpLimits {
  /** Request line and header fields together. */
  readonly maxHeadBytes: number;
  readonly maxHeaderFields: number;
  /** Bytes of later requests that are kept while one is being answered; beyond it the socket is not read. */
  readonly maxPipelinedBytes: number;
  /** An unread request body up to this size is read and dropped to keep the connection; a larger one ends it. */
  readonly maxDiscardedBodyBytes: number;
  /** A client that has this much of a stream unread is cut off at once. */
  readonly maxUnsentBytes: number;
  /** From the start of a connection, or the first byte of a further request, to the end of the request's head. */
  readonly headTimeoutMs: number;
  /** A connection without a request. */
  readonly idleTimeoutMs: number;
  /** A client that takes nothing although there is something to take. */
  readonly stallTimeoutMs: number;
  /** As above, where a person at a terminal may have stopped reading: logs, and what proxied programs send. */
  readonly patienceTimeoutMs: number;
  /** Between our last byte and a forced close, so that the client can read that byte. */
  readonly lingerTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
  readonly maxConcurrentStreams: number;
  /** Streams that a client may reset in a burst, and per second after it, before its connection is ended. */
  readonly streamResetBurst: number;
  readonly streamResetsPerSecond: number;
  /** Chance, from 0 to 1, with which a request is the last but for those under way on its HTTP/2 connection. */
  readonly goawayChance: number;
}

export const defaultLimits: HttpLimits = {
  maxHeadBytes: 64 * 1024,
  maxHeaderFields: 200,
  maxPipelinedBytes: 64 * 1024,
  maxDiscardedBodyBytes: 256 * 1024,
  maxUnsentBytes: 16 * 1024 * 1024,
  headTimeoutMs: 32_000,
  idleTimeoutMs: 90_000,
  stallTimeoutMs: 60_000,
  patienceTimeoutMs: 4 * 3_600_000,
  lingerTimeoutMs: 2_000,
  handshakeTimeoutMs: 10_000,
  maxConcurrentStreams: 250,
  streamResetBurst: 500,
  streamResetsPerSecond: 50,
  goawayChance: 0,
};

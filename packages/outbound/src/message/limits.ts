/** Times of connections to extension API servers, in milliseconds. */
export interface ConnectionLimits {
  /** For connecting to one endpoint, TLS included. */
  readonly dialMs: number;
  /** A kept connection without requests is closed after this time. */
  readonly idleMs: number;
  /** Interval of pings on a connection with requests, over HTTP/2. */
  readonly pingMs: number;
  /** For the answer to a ping. */
  readonly pingTimeoutMs: number;
  /** For the head of an answer to a request without a deadline, such as a watch. */
  readonly answerMs: number;
  /** An endpoint that could not be connected to comes last for this time. */
  readonly avoidMs: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  dialMs: 5_000,
  // Less than the time after which common servers close their end: a request may be sent in that moment.
  idleMs: 60_000,
  pingMs: 30_000,
  pingTimeoutMs: 15_000,
  answerMs: 4 * 3_600_000,
  avoidMs: 5_000,
};

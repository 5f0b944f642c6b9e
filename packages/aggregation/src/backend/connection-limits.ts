/** Times of connections to extension API servers, in milliseconds. */
export interface ConnectionLimits {
  /** For connecting to one endpoint, TLS included. */
  readonly dialMs: number;
  /** A kept connection without requests is closed after this time; one with requests is checked by a ping. */
  readonly idleMs: number;
  /** For the answer to a ping. */
  readonly pingTimeoutMs: number;
  /** For the head of an answer to a request without a deadline, such as a watch. */
  readonly answerMs: number;
  /** An endpoint that could not be connected to comes last for this time. */
  readonly avoidMs: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  dialMs: 5_000,
  idleMs: 30_000,
  pingTimeoutMs: 15_000,
  answerMs: 4 * 3_600_000,
  avoidMs: 5_000,
};

/** Timeouts and sizes of connections through this server. Durations in milliseconds. */
export interface ConnectLimits {
  /** For connecting to a pod or to an endpoint of a service, TLS included. */
  readonly dialTimeoutMs: number;
  /** For the answer of a node agent to an upgrade request. */
  readonly upgradeTimeoutMs: number;
  /** For the head of any other answer: programs may be slow, and logs silent for a long time. */
  readonly answerTimeoutMs: number;
  /** For an open connection without activity. */
  readonly idleTimeoutMs: number;
  /** The same when one end has sent FIN. */
  readonly halfOpenTimeoutMs: number;
  /** For open connections when the server stops. */
  readonly drainGraceMs: number;
  /** Maximum text of a node agent's refusal in the message of the Status. */
  readonly refusalBytes: number;
}

export const defaultConnectLimits: ConnectLimits = {
  dialTimeoutMs: 10_000,
  upgradeTimeoutMs: 30_000,
  answerTimeoutMs: 4 * 3_600_000,
  idleTimeoutMs: 4 * 3_600_000,
  halfOpenTimeoutMs: 60_000,
  drainGraceMs: 5_000,
  refusalBytes: 8 * 1024,
};

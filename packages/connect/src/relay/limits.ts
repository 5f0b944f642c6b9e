/** Timeouts and sizes of connections through this server. Durations in milliseconds. */
export interface ConnectLimits {
  /** Time for connecting to a pod or to an endpoint of a service, including TLS. */
  readonly dialTimeoutMs: number;
  /** Time that a node agent has to answer an upgrade request. */
  readonly upgradeTimeoutMs: number;
  /** Time for the head of any other answer: programs may be slow, and logs silent for a long time. */
  readonly answerTimeoutMs: number;
  /** Time that an open connection may have no activity. */
  readonly idleTimeoutMs: number;
  /** The same when one end has sent FIN. */
  readonly halfOpenTimeoutMs: number;
  /** Time that open connections have when the server stops. */
  readonly drainGraceMs: number;
  /** Maximum length of a node agent's refusal in the message of the Status. */
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

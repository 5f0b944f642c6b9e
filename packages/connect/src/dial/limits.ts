/** Times and sizes of connections that lead through this server. Durations in milliseconds. */
export interface ConnectLimits {
  /** To open a connection to a pod or to the endpoint of a service, TLS included. */
  readonly dialTimeoutMs: number;
  /** For a node agent to answer a request to change the protocol. */
  readonly upgradeTimeoutMs: number;
  /** For the head of any other answer: programs may take their time, and logs may be silent for long. */
  readonly answerTimeoutMs: number;
  /** How long nothing may move on an open connection. */
  readonly idleTimeoutMs: number;
  /** As above, when one end has said everything. */
  readonly halfOpenTimeoutMs: number;
  /** What open connections have left when the server stops. */
  readonly drainGraceMs: number;
  /** Of the answer with which a node agent refuses, so much is told to the client. */
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

/** Messages between a test process, the pool of server hosts, and a host. */

/** The variable with the path of the socket of the pool, for test processes. */
export const HOSTS_VARIABLE = 'TEST_SERVER_HOSTS';

/** A server with its number among those of its host. */
export interface StartOrder {
  readonly server: number;
  readonly program: 'orch-apiserver' | 'orch';
  readonly argv: readonly string[];
  /** The file that receives its log and its addresses. */
  readonly output: string;
}

export interface StopOrder {
  readonly server: number;
  readonly stop: true;
}

export type Order = StartOrder | StopOrder;

/** A server is ready. */
export interface ReadyReport {
  readonly server: number;
  readonly url: string;
}

/** A server has ended; the error is empty unless it failed. */
export interface EndReport {
  readonly server: number;
  readonly error: string;
}

export type Report = ReadyReport | EndReport;

/** A report of a host with the CPU time of its process so far. */
export interface HostMessage {
  readonly report: Report;
  readonly cpuSeconds: number;
}

/** The host itself has ended, which ends the connection. */
export interface HostEnd {
  readonly output: string;
}

import type { Authenticated, WithInfo } from './types.ts';

/** What stages further inside learn about a request, for the log line and the metrics made at its end. */
export interface Trace {
  /** Name of the authenticated user; empty before. */
  user: string;
}

/** A request under observation: after request info. */
export interface Observed extends WithInfo {
  readonly trace: Trace;
}

/** A request whose sender is known: after authentication. */
export type Identified = Observed & Authenticated;

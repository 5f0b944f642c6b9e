import type { UserInfo } from '@orch/auth';
import type { Authenticated, Authorized, ResourceRequest, WithInfo } from './types.ts';

/** What stages further inside learn about a request, for the log line, the metrics and the audit made at its end. */
export interface Trace {
  /** Name of the authenticated user; empty before. */
  user: string;
  /** Whom the authenticated user acts as; absent when he acts as himself. */
  impersonated?: UserInfo;
  /** What the audit shall know of the credentials. */
  credentials?: Readonly<Record<string, string>>;
  /** Adds an annotation to the audit of the request; absent where there is none to be made. */
  annotate?: (key: string, value: string) => void;
}

/** A request under observation: after request info. */
export interface Observed extends WithInfo {
  readonly trace: Trace;
}

/** A request whose sender is known: after authentication. */
export type Identified = Observed & Authenticated;

/** The context of a request for a resource. */
export interface ResourceContext extends Authorized {
  readonly info: ResourceRequest;
}

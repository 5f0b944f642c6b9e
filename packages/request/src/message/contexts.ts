import type { UserInfo } from '@orch/auth';
import type { Authenticated, Authorized, ResourceRequest, WithInfo } from './types.ts';

/** What inner stages report about a request, for the log line, the metrics and the audit event at its end. */
export interface Trace {
  /** Name of the authenticated user; empty before authentication. */
  user: string;
  /** The impersonated user; absent without impersonation. */
  impersonated?: UserInfo;
  /** Audit annotations about the credentials. */
  credentials?: Readonly<Record<string, string>>;
  /**
   * Adds an annotation to the audit event, from an audit level on; absent when the request is not audited. The first value of a
   * key is kept.
   */
  annotate?: (key: string, value: string, level?: 'Metadata' | 'Request') => void;
  /**
   * Time in queues of flow control and in admission webhooks, in milliseconds, which service level indicators exclude; absent
   * when there was none.
   */
  excludedMs?: number;
  /** Warnings of admission plugins, for the reply, also one about a failure; absent when there are none. */
  warnings?: Set<string>;
}

/** Excludes time from the service level indicators of a request, in milliseconds. */
export function excludeTime(trace: Trace, ms: number): void {
  trace.excludedMs = (trace.excludedMs ?? 0) + ms;
}

/** After request info: a request that is observed. */
export interface Observed extends WithInfo {
  readonly trace: Trace;
}

/** After authentication: a request with its user. */
export type Identified = Observed & Authenticated;

/** The context of a request for a resource. */
export interface ResourceContext extends Authorized {
  readonly trace: Trace;
  readonly info: ResourceRequest;
}

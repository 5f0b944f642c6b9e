import type { StatusDetails } from '@orch/machinery';

/** How much is written down of a request, from nothing to both of its objects. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

/** Where a request stands when an event is made of it. */
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof auditStages)[number];

export const reachesLevel = (level: AuditLevel, least: AuditLevel): boolean =>
  auditLevels.indexOf(level) >= auditLevels.indexOf(least);

/** What the policy says of one request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

export interface AuditUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface AuditedObject {
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

export interface AuditedStatus {
  readonly metadata: object;
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** One entry of the audit, its members in the order in which they are written (facts: event-audit). */
export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: string;
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: AuditUser | Record<string, never>;
  readonly impersonatedUser?: AuditUser;
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  readonly objectRef?: AuditedObject;
  readonly responseStatus?: AuditedStatus;
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Where events go. `accept` never waits: it takes an event or says that it is lost. Events keep their order. `close`
 * resolves when what was taken has been handed on, or cannot be before the signal aborts.
 */
export interface AuditSink {
  /** `log` or `webhook`: the label of its metrics. */
  readonly plugin: string;
  /** A request whose first event is lost is refused. */
  readonly isStrict: boolean;
  accept(event: AuditEvent): boolean;
  close(signal: AbortSignal): Promise<void>;
}

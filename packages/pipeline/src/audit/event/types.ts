import type { StatusDetails } from '@orch/machinery';

/** The extent to which a request is recorded, from nothing to both objects. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type AuditLevel = (typeof auditLevels)[number];

/** The stage of a request at which an event is created. */
export const auditStages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof auditStages)[number];

export const reachesLevel = (level: AuditLevel, least: AuditLevel): boolean =>
  auditLevels.indexOf(level) >= auditLevels.indexOf(least);

/** The result of the policy for one request. */
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

/** An audit event, its fields in the recorded order (facts: event-audit). */
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
 * A destination of events. `accept` never waits: it accepts an event or reports that it is lost. The order is kept.
 * `close` resolves when all accepted events were delivered, or when the signal aborts.
 */
export interface AuditSink {
  /** `log` or `webhook`: the label of its metrics. */
  readonly plugin: string;
  /** Whether a request whose first event is lost is refused. */
  readonly isStrict: boolean;
  accept(event: AuditEvent): boolean;
  close(signal: AbortSignal): Promise<void>;
}

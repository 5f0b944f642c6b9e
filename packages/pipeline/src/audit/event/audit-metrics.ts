import type { Metrics } from '@orch/machinery';
import { type AuditLevel, type AuditSink, auditLevels } from './types.ts';

/** The metrics of the audit (facts: metric names). */
export function auditMetrics(metrics: Metrics) {
  const stability = 'ALPHA';
  const events = metrics
    .counter({ name: 'apiserver_audit_event_total', help: 'Audit events created.', stability })
    .series();
  const rejected = metrics
    .counter({
      name: 'apiserver_audit_requests_rejected_total',
      help: 'Requests refused because their audit event could not be written.',
      stability,
    })
    .series();
  const byLevel = metrics.counter({
    name: 'apiserver_audit_level_total',
    help: 'Requests by audit level.',
    labels: ['level'],
    stability,
  });
  const lost = metrics.counter({
    name: 'apiserver_audit_error_total',
    help: 'Audit events lost, by where they should have gone.',
    labels: ['plugin'],
    stability,
  });
  const levels = Object.fromEntries(auditLevels.map((level) => [level, byLevel.series(level)])) as Record<
    AuditLevel,
    ReturnType<typeof byLevel.series>
  >;
  return {
    event: () => events.inc(),
    rejected: () => rejected.inc(),
    level: (level: AuditLevel) => levels[level].inc(),
    lost: (sink: Pick<AuditSink, 'plugin'>, count = 1) => lost.series(sink.plugin).inc(count),
  };
}

export type AuditMetrics = ReturnType<typeof auditMetrics>;

import type { Clock, Metrics } from '@orch/machinery';
import type { Operation } from '../types.ts';

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];
const MOST_CODE = 600;

/** The phase of a webhook, a value of the label `type`. */
export type WebhookType = 'admit' | 'validating';

/** The reason why a webhook rejected a write, a value of the label `error_type`. */
export type RejectionType = 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error';

/** A completed call of a webhook. */
export interface EndedCall {
  readonly webhook: string;
  readonly operation: Operation;
  readonly seconds: number;
  /** Undefined when the write continues. */
  readonly rejected: RejectionType | undefined;
  /** HTTP status of the result, 0 for none. */
  readonly code: number;
}

/** Metrics of the webhooks of one phase (access-control document, 6; facts: metric names). */
export interface WebhookMetrics {
  seconds(): number;
  ended(call: EndedCall): void;
  /** A webhook that ignores failures could not be called. */
  failedOpen(webhook: string): void;
}

export function webhookMetrics(
  type: WebhookType,
  metrics: Metrics,
  clock: Pick<Clock, 'monotonic'>,
): WebhookMetrics {
  const durations = metrics.histogram({
    name: 'apiserver_admission_webhook_admission_duration_seconds',
    help: 'Seconds that calls of admission webhooks took.',
    labels: ['name', 'operation', 'rejected', 'type'],
    buckets: BUCKETS,
    stability: 'ALPHA',
  });
  const requests = metrics.counter({
    name: 'apiserver_admission_webhook_request_total',
    help: 'Calls of admission webhooks, by HTTP status of the result.',
    labels: ['code', 'name', 'operation', 'rejected', 'type'],
    stability: 'ALPHA',
  });
  const rejections = metrics.counter({
    name: 'apiserver_admission_webhook_rejection_count',
    help: 'Writes that admission webhooks rejected, or that were rejected because a webhook could not be called.',
    labels: ['error_type', 'name', 'operation', 'rejection_code', 'type'],
    stability: 'ALPHA',
  });
  const opened = metrics.counter({
    name: 'apiserver_admission_webhook_fail_open_count',
    help: 'Writes that continued although an admission webhook could not be called.',
    labels: ['name', 'type'],
    stability: 'ALPHA',
  });
  return {
    seconds: () => clock.monotonic() / 1000,
    ended({ webhook, operation, seconds, rejected, code }) {
      const isRejected = String(rejected !== undefined);
      const status = String(Math.min(code, MOST_CODE));
      durations.series(webhook, operation, isRejected, type).observe(seconds);
      requests.series(status, webhook, operation, isRejected, type).inc();
      if (rejected !== undefined) rejections.series(rejected, webhook, operation, status, type).inc();
    },
    failedOpen: (webhook) => opened.series(webhook, type).inc(),
  };
}

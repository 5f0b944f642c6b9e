import type { Metrics } from '@orch/machinery';
import type { WorkResult } from '@orch/machinery/queue';

export interface ControllerMetrics {
  /** Counts a reconciliation. */
  ended(result: WorkResult, seconds: number): void;
}

const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export function controllerMetrics(metrics: Metrics, name: string): ControllerMetrics {
  const total = metrics.counter({
    name: 'controller_reconcile_total',
    help: 'Number of reconciliations by result.',
    labels: ['controller', 'result'],
  });
  const failed = metrics
    .counter({
      name: 'controller_reconcile_errors_total',
      help: 'Number of reconciliations that failed or exceeded their deadline.',
      labels: ['controller'],
    })
    .series(name);
  const duration = metrics
    .histogram({
      name: 'controller_reconcile_duration_seconds',
      help: 'Duration of reconciliations.',
      labels: ['controller'],
      buckets,
    })
    .series(name);
  return {
    ended(result, seconds) {
      duration.observe(seconds);
      total.series(name, result).inc();
      if (result === 'error' || result === 'timeout') failed.inc();
    },
  };
}

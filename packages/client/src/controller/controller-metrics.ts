import type { HistogramSeries, Metrics } from '@orch/machinery';

/** The result of a reconciliation. `conflict`: the object was updated concurrently, which is not an error. */
export type ReconcileResult = 'success' | 'requeue' | 'conflict' | 'error' | 'timeout' | 'stopped';

export interface ControllerMetrics {
  readonly seconds: HistogramSeries;
  ended(result: ReconcileResult): void;
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
  return {
    seconds: metrics
      .histogram({
        name: 'controller_reconcile_duration_seconds',
        help: 'Duration of reconciliations.',
        labels: ['controller'],
        buckets,
      })
      .series(name),
    ended(result) {
      total.series(name, result).inc();
      if (result === 'error' || result === 'timeout') failed.inc();
    },
  };
}

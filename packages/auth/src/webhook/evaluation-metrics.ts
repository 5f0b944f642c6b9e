import type { Metrics } from '@orch/machinery';

export type EvaluationResult = 'success' | 'canceled' | 'timeout' | 'error';

/** Metrics of the requests of one authorization webhook. */
export interface EvaluationMetrics {
  /** `isOpen`: the failure counts as no opinion, so that another authorizer decides. */
  evaluated(result: EvaluationResult, seconds: number, failure?: { readonly isOpen: boolean }): void;
}

const prefix = 'apiserver_authorization_webhook';

export function evaluationMetrics(name: string, metrics: Metrics): EvaluationMetrics {
  const labels = ['name', 'result'];
  const stability = 'ALPHA';
  const evaluations = metrics.counter({
    name: `${prefix}_evaluations_total`,
    help: 'Requests to authorization webhooks, by webhook and result.',
    labels,
    stability,
  });
  const durations = metrics.histogram({
    name: `${prefix}_duration_seconds`,
    help: 'Time that requests to authorization webhooks took, by webhook and result.',
    labels,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    stability,
  });
  const open = metrics.counter({
    name: `${prefix}_evaluations_fail_open_total`,
    help: 'Failed requests to authorization webhooks that counted as no opinion, by webhook and result.',
    labels,
    stability,
  });
  return {
    evaluated(result, seconds, failure) {
      evaluations.series(name, result).inc();
      durations.series(name, result).observe(seconds);
      if (failure?.isOpen === true) open.series(name, result).inc();
    },
  };
}

import type { Metrics } from '@orch/machinery';
import type { ErrorType } from './evaluator.ts';

/** The action for a failed validation; `allow` when an evaluation error was ignored. */
export type EnforcementAction = 'allow' | 'deny' | 'warn' | 'audit';

/** A decision of a policy that a binding applies. */
export interface CheckedPolicy {
  readonly policy: string;
  readonly binding: string;
  readonly error: ErrorType;
  readonly action: EnforcementAction;
  readonly seconds: number;
}

/** Counts the decisions of validating policies. */
export function policyMetrics(metrics: Metrics): (checked: CheckedPolicy) => void {
  const labels = ['policy', 'policy_binding', 'error_type', 'enforcement_action'];
  const total = metrics.counter({
    name: 'apiserver_validating_admission_policy_check_total',
    help: 'Validations of admission policies that did not hold or failed, by policy, binding and what was done.',
    labels,
    stability: 'BETA',
  });
  const durations = metrics.histogram({
    name: 'apiserver_validating_admission_policy_check_duration_seconds',
    help: 'Seconds that such validations of admission policies took.',
    labels,
    buckets: [0.000_000_5, 0.001, 0.01, 0.1, 1],
    stability: 'BETA',
  });
  return ({ policy, binding, error, action, seconds }) => {
    total.series(policy, binding, error, action).inc();
    durations.series(policy, binding, error, action).observe(seconds);
  };
}

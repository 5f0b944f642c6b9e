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

/** Records that a policy and one of its bindings match a write. */
export type PolicyMatched = (policy: string, binding: string) => void;

/** Returns a function that counts the writes that policies match. */
export function policyMatches(metrics: Metrics, type: 'validating' | 'mutating'): PolicyMatched {
  const total = metrics.counter({
    name: 'apiserver_admission_policy_matches_total',
    help: 'Writes that match the constraints of an admission policy and one of its bindings, by policy, binding and type.',
    labels: ['policy', 'policy_binding', 'type'],
  });
  return (policy, binding) => total.series(policy, binding, type).inc();
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

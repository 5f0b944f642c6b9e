import type {
  HorizontalPodAutoscalerBehaviorV2,
  HPAScalingPolicyV2,
  HPAScalingRulesV2,
} from '@orch/kinds/autoscaling';
import { type FieldError, fieldError } from '@orch/machinery';

const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;
const selections = ['Disabled', 'Max', 'Min'];
const policyTypes = ['Percent', 'Pods'];

/** Checks the policies of both directions, if they are set. */
export const checkBehavior = (
  path: string,
  behavior: HorizontalPodAutoscalerBehaviorV2,
): readonly FieldError[] =>
  (['scaleUp', 'scaleDown'] as const).flatMap((direction) => {
    const rules = behavior[direction];
    return rules === undefined ? [] : checkRules(`${path}.${direction}`, rules);
  });

function checkRules(path: string, rules: HPAScalingRulesV2): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seconds = rules.stabilizationWindowSeconds ?? 0;
  const window = `${path}.stabilizationWindowSeconds`;
  if (seconds < 0) errors.push(fieldError.invalid(window, seconds, 'must be greater than or equal to zero'));
  if (seconds > MAX_WINDOW_SECONDS) {
    errors.push(fieldError.invalid(window, seconds, `must be less than or equal to ${MAX_WINDOW_SECONDS}`));
  }
  const selection = rules.selectPolicy;
  if (selection !== undefined && !selections.includes(selection)) {
    errors.push(fieldError.notSupported(`${path}.selectPolicy`, selection, selections));
  }
  const policies = rules.policies ?? [];
  if (policies.length === 0) {
    errors.push(fieldError.required(`${path}.policies`, 'must specify at least one Policy'));
  }
  return [...errors, ...policies.flatMap((policy, i) => checkPolicy(`${path}.policies[${i}]`, policy))];
}

function checkPolicy(path: string, policy: HPAScalingPolicyV2): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = policy.type ?? '';
  const value = policy.value ?? 0;
  const seconds = policy.periodSeconds ?? 0;
  if (!policyTypes.includes(type)) {
    errors.push(fieldError.notSupported(`${path}.type`, type, policyTypes));
  }
  if (value <= 0) errors.push(fieldError.invalid(`${path}.value`, value, 'must be greater than zero'));
  if (seconds <= 0) {
    errors.push(fieldError.invalid(`${path}.periodSeconds`, seconds, 'must be greater than zero'));
  }
  if (seconds > MAX_PERIOD_SECONDS) {
    const why = `must be less than or equal to ${MAX_PERIOD_SECONDS}`;
    errors.push(fieldError.invalid(`${path}.periodSeconds`, seconds, why));
  }
  return errors;
}

import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from '@orch/kinds/batch';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';

/** Checks that exit codes are sorted and unique, and that 0 does not count as a failure. */
export const checkOnExitCodes: Check<PodFailurePolicyOnExitCodesRequirement> = (
  { operator, values },
  { path },
) => {
  const codes = values ?? [];
  if (codes.length === 0)
    return [fieldError.invalid(`${path}.values`, codes, 'at least one value is required')];
  const errors: FieldError[] = [];
  const seen = new Set<number>();
  codes.forEach((code, i) => {
    const at = `${path}.values[${i}]`;
    if (operator === 'In' && code === 0) {
      errors.push(fieldError.invalid(at, code, 'must not be 0 for the In operator'));
    }
    if (seen.has(code)) errors.push(fieldError.duplicate(at, code));
    seen.add(code);
  });
  if (codes.some((code, i) => i > 0 && code < (codes[i - 1] ?? code))) {
    errors.push(fieldError.invalid(`${path}.values`, codes, 'must be ordered'));
  }
  return errors;
};

/** Checks that a rule has either exit codes or conditions. */
export const checkFailureRule: Check<PodFailurePolicyRule> = (rule, { path }) => {
  const byCode = (rule.onExitCodes ?? undefined) !== undefined;
  const byCondition = (rule.onPodConditions ?? []).length > 0;
  if (byCode !== byCondition) return [];
  const why = byCode
    ? 'specifying both OnExitCodes and OnPodConditions is not supported'
    : 'specifying one of OnExitCodes and OnPodConditions is required';
  return [fieldError.invalid(path, rule, why)];
};

/** Checks that the containers named by rules exist, and that only the job restarts them. */
export function checkFailurePolicy(spec: JobSpec, path: string): readonly FieldError[] {
  if (spec.podFailurePolicy === undefined) return [];
  const podSpec = spec.template?.spec ?? {};
  const containers = new Set(
    [...(podSpec.containers ?? []), ...(podSpec.initContainers ?? [])].map((container) => container.name),
  );
  const errors = (spec.podFailurePolicy?.rules ?? []).flatMap((rule, i) => {
    const { containerName } = rule.onExitCodes ?? {};
    if (rule.action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
      const action = `${path}.podFailurePolicy.rules[${i}].action`;
      return [fieldError.invalid(action, rule.action, 'requires the backoffLimitPerIndex to be set')];
    }
    if (containerName === undefined || containers.has(containerName)) return [];
    const at = `${path}.podFailurePolicy.rules[${i}].onExitCodes.containerName`;
    const why = 'must be one of the container or initContainer names in the pod template';
    return [fieldError.invalid(at, containerName, why)];
  });
  const policy = podSpec.restartPolicy ?? '';
  if (policy !== 'OnFailure') return errors;
  const why = 'only "Never" is supported when podFailurePolicy is specified';
  return [...errors, fieldError.invalid(`${path}.template.spec.restartPolicy`, policy, why)];
}

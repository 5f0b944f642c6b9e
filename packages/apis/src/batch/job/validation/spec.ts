import type { JobSpec } from '@orch/kinds/batch';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkFailurePolicy } from './pod-failure-policy.ts';

const policies = ['Never', 'OnFailure'];
const MAX_INDEXED_PARALLELISM = 100_000;

/** The rules of jobs, also of those created from a template. */
export const checkJobSpec: Check<JobSpec> = (spec, { path }) => [
  ...checkRestartPolicy(spec, path),
  ...checkIndexes(spec, path),
  ...checkFailurePolicy(spec, path),
];

/** Pods of a job end, so the restart policy cannot be Always. */
function checkRestartPolicy(spec: JobSpec, path: string): readonly FieldError[] {
  if (policies.includes(spec.template?.spec?.restartPolicy ?? '')) return [];
  const expected = `valid values: ${policies.map((policy) => JSON.stringify(policy)).join(', ')}`;
  return [fieldError.required(`${path}.template.spec.restartPolicy`, expected)];
}

/** Indexed jobs must set completions. */
function checkIndexes(spec: JobSpec, path: string): readonly FieldError[] {
  if (spec.completionMode !== 'Indexed') return [];
  const errors: FieldError[] = [];
  if (spec.completions === undefined) {
    errors.push(fieldError.required(`${path}.completions`, 'when completion mode is Indexed'));
  }
  if ((spec.parallelism ?? 0) > MAX_INDEXED_PARALLELISM) {
    const why = `must be less than or equal to ${MAX_INDEXED_PARALLELISM} when completion mode is Indexed`;
    errors.push(fieldError.invalid(`${path}.parallelism`, spec.parallelism, why));
  }
  return errors;
}

import type { JobSpec } from '@orch/kinds/batch';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../../validation-rules.ts';
import { checkIndexFailures } from './index-failures.ts';
import { checkFailurePolicy } from './pod-failure-policy.ts';
import { checkScheduling } from './scheduling.ts';
import { checkSuccessPolicy } from './success-policy.ts';

const policies = ['Never', 'OnFailure'];
const MAX_INDEXED_PARALLELISM = 100_000;

/** The rules of jobs, also of those created from a template. */
export const checkJobSpec: Check<JobSpec> = (spec, { path }) => [
  ...checkScheduling(spec, path),
  ...checkRestartPolicy(spec, path),
  ...checkIndexes(spec, path),
  ...checkIndexFailures(spec, path),
  ...checkSuccessPolicy(spec, path),
  ...checkReplacementPolicy(spec, path),
  ...checkManager(`${path}.managedBy`, spec.managedBy),
  ...checkFailurePolicy(spec, path),
];

/** Pods of a job end, so the restart policy cannot be Always. */
function checkRestartPolicy(spec: JobSpec, path: string): readonly FieldError[] {
  const policy = spec.template?.spec?.restartPolicy ?? '';
  if (policies.includes(policy)) return [];
  const at = `${path}.template.spec.restartPolicy`;
  if (policy !== 'Always') return [fieldError.notSupported(at, policy, policies)];
  const expected = `valid values: ${policies.map((one) => JSON.stringify(one)).join(', ')}`;
  return [fieldError.required(at, expected)];
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

const replacements = ['Failed', 'TerminatingOrFailed'];

/** Pods of a job with a failure policy are replaced when they have failed. */
function checkReplacementPolicy(spec: JobSpec, path: string): readonly FieldError[] {
  const { podReplacementPolicy: policy, podFailurePolicy } = spec;
  const allowed = podFailurePolicy === undefined ? replacements : replacements.slice(0, 1);
  if (policy === undefined || allowed.includes(policy)) return [];
  return [fieldError.notSupported(`${path}.podReplacementPolicy`, policy, allowed)];
}

const httpPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** A controller is named by a domain and a path. */
function checkManager(path: string, manager: string | undefined): readonly FieldError[] {
  if (manager === undefined) return [];
  if (manager === '') return [fieldError.required(path)];
  const slash = manager.indexOf('/');
  if (slash < 1 || slash === manager.length - 1)
    return [fieldError.invalid(path, manager, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const rest = manager.slice(slash + 1);
  return [
    ...checkFormat('dns1123subdomain', path, manager.slice(0, slash)),
    ...(httpPath.test(rest) ? [] : [fieldError.invalid(path, rest, 'must be the path of a URL')]),
  ];
}

import type { CustomResourceSubresourceScale } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError } from '@orch/machinery';
import { exactNumberText, jsonEquals } from '@orch/machinery/json';
import type { Check } from '@orch/schema';
import { fieldsOf, valueAt } from './simple-path.ts';

const MAX_REPLICAS = 2 ** 31 - 1;

type Problem = (value: unknown) => string | undefined;

function replicasProblem(value: unknown): string | undefined {
  const text = exactNumberText(value);
  if (text === undefined || !Number.isInteger(Number(text))) return 'should be an integer';
  if (Number(text) < 0) return 'should be a non-negative integer';
  return Number(text) > MAX_REPLICAS ? `should be less than or equal to ${MAX_REPLICAS}` : undefined;
}

const selectorProblem: Problem = (value) => (typeof value === 'string' ? undefined : 'should be a string');

/**
 * Checks that a Scale can represent an object: the values at the paths of the definition are absent, or a number of
 * replicas or a label selector. An update may leave an invalid value unchanged.
 */
export function scaleCheck(scale: CustomResourceSubresourceScale): Check {
  const { labelSelectorPath = '', specReplicasPath = '', statusReplicasPath = '' } = scale;
  const members = [
    { path: specReplicasPath, problem: replicasProblem },
    { path: statusReplicasPath, problem: replicasProblem },
    { path: labelSelectorPath, problem: selectorProblem },
  ].map((member) => ({ ...member, fields: fieldsOf(member.path) }));
  return (object, { old }) =>
    members.flatMap(({ fields, path, problem }): FieldError[] => {
      const value = fields.length === 0 ? undefined : valueAt(object, fields);
      if (value === undefined || value === null) return [];
      const wrong = problem(value);
      if (wrong === undefined) return [];
      if (old !== undefined && jsonEquals(value, valueAt(old, fields))) return [];
      return [fieldError.invalid(path, value, wrong)];
    });
}

import { applyConfigurationType, jsonPatchType, types } from '@orch/cel';
import type {
  MatchResources,
  MutatingAdmissionPolicySpec,
  Mutation,
} from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { jsonEquals } from '@orch/machinery/json';
import type { Check } from '@orch/schema';
import { checkInPieces } from '../../validation-rules.ts';
import { checkConstraints } from '../shared/policy/check-match.ts';
import { ExpressionCheck } from '../shared/policy/expression-check.ts';

/** Deletions have no object that a policy could change. */
const checkOperations = (path: string, { resourceRules = [] }: MatchResources): readonly FieldError[] =>
  resourceRules.flatMap(({ operations }, i) =>
    (operations ?? []).flatMap((operation, j) =>
      operation === 'DELETE'
        ? [
            fieldError.invalid(
              `${path}.resourceRules[${i}].operations[${j}]`,
              operation,
              'a policy cannot change the object of a deletion',
            ),
          ]
        : [],
    ),
  );

/** Checks that a policy with match constraints has resource rules, and that it has at least one mutation. */
export const checkPolicySpec: Check<MutatingAdmissionPolicySpec> = (spec, { path, old, ...context }) => {
  const errors: FieldError[] = [
    ...checkConstraints(`${path}.matchConstraints`, spec.matchConstraints),
    ...checkOperations(`${path}.matchConstraints`, spec.matchConstraints ?? {}),
  ];
  if ((spec.mutations ?? []).length === 0)
    errors.push(fieldError.required(`${path}.mutations`, 'mutations must contain at least one item'));
  if (!jsonEquals(spec, old)) errors.push(...checkInPieces(checkingExpressions(spec, path), context));
  return errors;
};

function* checkingExpressions(spec: MutatingAdmissionPolicySpec, path: string): Work<readonly FieldError[]> {
  const check = new ExpressionCheck({ hasParams: spec.paramKind !== undefined, hasNamespace: true });
  const errors = [
    ...(yield* check.variables(`${path}.variables`, spec.variables)),
    ...(yield* check.matchConditions(`${path}.matchConditions`, spec.matchConditions)),
  ];
  for (const [i, mutation] of (spec.mutations ?? []).entries()) {
    errors.push(...checkMutation(check, mutation, `${path}.mutations[${i}]`));
    yield;
  }
  return errors;
}

/** Checks the expression that the type of the mutation names; another one is refused anyway. */
const checkMutation = (
  check: ExpressionCheck,
  { patchType, applyConfiguration, jsonPatch }: Mutation,
  path: string,
): readonly FieldError[] => {
  const environment = check.mutations;
  switch (patchType) {
    case 'ApplyConfiguration':
      return check.expression(`${path}.applyConfiguration.expression`, applyConfiguration?.expression ?? '', {
        environment,
        results: [applyConfigurationType],
      });
    case 'JSONPatch':
      return check.expression(`${path}.jsonPatch.expression`, jsonPatch?.expression ?? '', {
        environment,
        results: [types.list(jsonPatchType)],
      });
    default:
      return [];
  }
};

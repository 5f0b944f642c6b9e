import type { PodDisruptionBudgetSpec } from '@orch/kinds/policy';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../validation-rules.ts';

const bounds = ['minAvailable', 'maxUnavailable'] as const;

/** A number of pods, or a percentage of them. */
function checkBound(path: string, value: number | string | undefined): readonly FieldError[] {
  const wrong = checkFormat('positiveIntOrPercent', path, value);
  return wrong.length > 0 ? wrong : checkFormat('notOver100', path, value);
}

/** Checks that a budget sets either the minimum of available or the maximum of unavailable pods. */
export const checkDisruptionBounds: Check<PodDisruptionBudgetSpec> = (spec, { path }) => {
  const given = bounds.filter((bound) => spec[bound] !== undefined);
  const why = 'minAvailable and maxUnavailable cannot be both set';
  return [
    ...(given.length > 1 ? [fieldError.invalid(path, spec, why)] : []),
    ...given.flatMap((bound) => checkBound(`${path}.${bound}`, spec[bound])),
  ];
};

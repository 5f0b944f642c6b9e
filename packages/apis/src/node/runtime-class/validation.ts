import type { Overhead, RuntimeClass, Scheduling } from '@orch/kinds/node';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkContainerResources } from '../../core/shared/validation/resources.ts';
import type { StrategyContext } from '../../resource-type.ts';
import { checkFormat, checkLabelMap } from '../../validation-rules.ts';

/** Amounts are validated as limits, and errors name them as limits. */
export const checkOverhead: Check<Overhead> = (overhead, { path, names }) =>
  checkContainerResources(path, { limits: overhead.podFixed ?? {} }, names);

/** Checks that no two tolerations are equal. */
export const checkScheduling: Check<Scheduling> = (scheduling, { path }) => {
  const errors = [...checkLabelMap(`${path}.nodeSelector`, scheduling.nodeSelector)];
  const seen = new Set<string>();
  (scheduling.tolerations ?? []).forEach((toleration, i) => {
    // Decoded objects have their fields in the same order, so that equal ones have the same text.
    const text = JSON.stringify(toleration);
    if (seen.has(text)) errors.push(fieldError.duplicate(`${path}.tolerations[${i}]`, toleration));
    seen.add(text);
  });
  return errors;
};

/** In every version, errors name the handler by its field in the hub. */
export function validateRuntimeClass(
  { handler = '' }: RuntimeClass,
  { since }: Pick<StrategyContext, 'since'>,
): readonly FieldError[] {
  if (handler === '' && since('1.36')) return [fieldError.required('handler')];
  return checkFormat('dns1123label', 'handler', handler);
}

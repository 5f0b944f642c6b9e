import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkContainerResources } from '../../core/shared/validation/resources.ts';
import type { Overhead, RuntimeClass, Scheduling } from '../../types/node.ts';
import { checkFormat, checkLabelMap } from '../../validation-rules.ts';

/** Clients know the amounts as limits. */
export const checkOverhead: Check<Overhead> = (overhead, { path, names }) =>
  checkContainerResources(path, { limits: overhead.podFixed ?? {} }, names);

/** No two tolerations say the same. */
export const checkScheduling: Check<Scheduling> = (scheduling, { path }) => {
  const errors = [...checkLabelMap(`${path}.nodeSelector`, scheduling.nodeSelector)];
  const seen = new Set<string>();
  (scheduling.tolerations ?? []).forEach((toleration, i) => {
    // They were decoded, so that equal ones have their fields in the same order.
    const text = JSON.stringify(toleration);
    if (seen.has(text)) errors.push(fieldError.duplicate(`${path}.tolerations[${i}]`, toleration));
    seen.add(text);
  });
  return errors;
};

/** Clients of every version know the handler under the name that it has in the hub. */
export const validateRuntimeClass = (next: RuntimeClass): readonly FieldError[] =>
  checkFormat('dns1123label', 'handler', next.handler ?? '');

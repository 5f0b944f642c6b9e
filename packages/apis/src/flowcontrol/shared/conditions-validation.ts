import type { FlowSchemaStatusV1beta3 } from '@orch/kinds/flowcontrol';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';

/** Checks that every condition has a unique type. */
export const checkConditionTypes: Check<FlowSchemaStatusV1beta3> = (status, { path }) => {
  const seen = new Set<string>();
  return (status.conditions ?? []).flatMap((condition, i): readonly FieldError[] => {
    const type = condition.type ?? '';
    const at = `${path}.conditions[${i}].type`;
    const known = seen.has(type);
    seen.add(type);
    return [
      ...(known ? [fieldError.duplicate(at, type)] : []),
      ...(type === '' ? [fieldError.required(at, 'must not be empty')] : []),
    ];
  });
};

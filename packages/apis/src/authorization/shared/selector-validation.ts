import { fieldError } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import type { Check } from '@orch/schema';

interface SelectorAttributes extends JsonObject {
  readonly rawSelector?: string;
  readonly requirements?: readonly JsonObject[];
}

/** A selector is text or requirements. */
export const checkSelectorAttributes: Check<SelectorAttributes> = (
  { rawSelector = '', requirements = [] },
  { path },
) => {
  if (rawSelector !== '' && requirements.length > 0)
    return [
      fieldError.invalid(
        `${path}.rawSelector`,
        rawSelector,
        'may not specified at the same time as requirements',
      ),
    ];
  if (rawSelector !== '' || requirements.length > 0) return [];
  const why = `when ${path} is specified, requirements or rawSelector is required`;
  return [fieldError.required(`${path}.requirements`, why)];
};

interface Requirement extends JsonObject {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** A requirement on fields, whose operator may be one that only a newer client knows. */
export const checkFieldRequirement: Check<Requirement> = (
  { key = '', operator = '', values = [] },
  { path },
) => {
  const errors = key === '' ? [fieldError.required(`${path}.key`, 'must be specified')] : [];
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
    errors.push(fieldError.required(`${path}.values`, `${operator} needs values`));
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    errors.push(fieldError.forbidden(`${path}.values`, `${operator} has no values`));
  return errors;
};

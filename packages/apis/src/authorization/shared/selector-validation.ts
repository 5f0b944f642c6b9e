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

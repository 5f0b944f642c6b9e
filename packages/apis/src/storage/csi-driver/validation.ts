import type { CSIDriver, CSIDriverSpec } from '@orch/kinds/storage';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { Check } from '@orch/schema';

const modes = ['Persistent', 'Ephemeral'];

/**
 * Checks that modes are known (for compatibility errors name their list), and token requests have distinct audiences.
 */
export const checkDriverSpec: Check<CSIDriverSpec> = (spec, { path }) => {
  const errors: FieldError[] = (spec.volumeLifecycleModes ?? [])
    .filter((mode) => !modes.includes(mode))
    .map((mode) => fieldError.notSupported(`${path}.volumeLifecycleModes`, mode, modes));
  const audiences = new Set<string>();
  (spec.tokenRequests ?? []).forEach((request, i) => {
    const audience = request.audience ?? '';
    if (audiences.has(audience)) {
      errors.push(fieldError.duplicate(`${path}.tokenRequests[${i}].audience`, audience));
    }
    audiences.add(audience);
  });
  return errors;
};

/** Fields that an update may change. */
const changeable: ReadonlySet<string> = new Set([
  'storageCapacity',
  'tokenRequests',
  'requiresRepublish',
  'seLinuxMount',
]);

const fixedPart = (spec: CSIDriverSpec): object =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !changeable.has(field)));

/** The other fields cannot change, since nodes have already used them. */
export function validateDriverUpdate(next: CSIDriver, old: CSIDriver): readonly FieldError[] {
  const same = jsonEquals(fixedPart(next.spec ?? {}), fixedPart(old.spec ?? {}));
  return same ? [] : [fieldError.invalid('spec', next.spec, 'field is immutable')];
}

/** Before 1.21 no field could change. */
export const validateFixedDriver = (next: CSIDriver, old: CSIDriver): readonly FieldError[] =>
  jsonEquals(next.spec ?? {}, old.spec ?? {})
    ? []
    : [fieldError.invalid('spec', next.spec, 'field is immutable')];

import { type FieldError, fieldError, jsonEquals } from '@orch/machinery';
import type { Check } from '@orch/schema';
import type { CSIDriver, CSIDriverSpec } from '../../types/storage.ts';

const modes = ['Persistent', 'Ephemeral'];

/** Modes are known ones, reported at their list as clients know it, and every token is for another audience. */
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

/** Fields that a driver may change its mind about. */
const changeable: ReadonlySet<string> = new Set([
  'storageCapacity',
  'tokenRequests',
  'requiresRepublish',
  'seLinuxMount',
]);

const fixedPart = (spec: CSIDriverSpec): object =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !changeable.has(field)));

/** Nodes have acted upon what a driver said. */
export function validateDriverUpdate(next: CSIDriver, old: CSIDriver): readonly FieldError[] {
  const same = jsonEquals(fixedPart(next.spec ?? {}), fixedPart(old.spec ?? {}));
  return same ? [] : [fieldError.invalid('spec', next.spec, 'field is immutable')];
}

/** Before 1.21 nothing could change. */
export const validateFixedDriver = (next: CSIDriver, old: CSIDriver): readonly FieldError[] =>
  jsonEquals(next.spec ?? {}, old.spec ?? {})
    ? []
    : [fieldError.invalid('spec', next.spec, 'field is immutable')];

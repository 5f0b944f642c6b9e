import { type ApiObject, type FieldError, fieldError, jsonEquals } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asObjects, asStrings, asText, type JsonObject, specOf } from '../../read.ts';

const modes = ['Persistent', 'Ephemeral'];

/** Modes are known ones, reported at their list as clients know it, and every token is for another audience. */
export const checkDriverSpec: Check = (spec, { path }) => {
  const errors: FieldError[] = asStrings(spec['volumeLifecycleModes'])
    .filter((mode) => !modes.includes(mode))
    .map((mode) => fieldError.notSupported(`${path}.volumeLifecycleModes`, mode, modes));
  const audiences = new Set<string>();
  asObjects(spec['tokenRequests']).forEach((request, i) => {
    const audience = asText(request['audience']);
    if (audiences.has(audience)) {
      errors.push(fieldError.duplicate(`${path}.tokenRequests[${i}].audience`, audience));
    }
    audiences.add(audience);
  });
  return errors;
};

/** Members that a driver may change its mind about. */
const changeable: ReadonlySet<string> = new Set([
  'storageCapacity',
  'tokenRequests',
  'requiresRepublish',
  'seLinuxMount',
]);

const fixedPart = (spec: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([member]) => !changeable.has(member)));

/** Nodes have acted upon what a driver said. */
export function validateDriverUpdate(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const same = jsonEquals(fixedPart(specOf(next)), fixedPart(specOf(old)));
  return same ? [] : [fieldError.invalid('spec', next['spec'], 'field is immutable')];
}

/** Before 1.21 nothing could change. */
export const validateFixedDriver = (next: ApiObject, old: ApiObject): readonly FieldError[] =>
  jsonEquals(specOf(next), specOf(old))
    ? []
    : [fieldError.invalid('spec', next['spec'], 'field is immutable')];

import {
  type ApiObject,
  compareQuantities,
  type FieldError,
  fieldError,
  jsonEquals,
  type Names,
  parseQuantity,
  quantitySign,
} from '@orch/machinery';
import { asObject, type JsonObject, specOf, statusOf } from '../../read.ts';
import { requested } from '../shared/validation/claim-spec.ts';
import { amountsOf } from '../shared/validation/resources.ts';

/** The spec without what may change, on either side of an update. */
function comparable(spec: JsonObject, before: JsonObject, bound: boolean): JsonObject {
  const { volumeName, resources, ...rest } = spec;
  const { storage: _, ...others } = asObject(asObject(resources)['requests']);
  return {
    ...rest,
    // A volume is given once.
    volumeName: before['volumeName'] === undefined ? undefined : volumeName,
    resources: bound ? { limits: asObject(resources)['limits'], requests: others } : resources,
  };
}

/** The class may move from the older annotation to the spec. */
function classMoved(next: ApiObject, old: ApiObject, names: Names): boolean {
  const key = names.annotations.betaStorageClass;
  const before = old.metadata.annotations?.[key];
  if (before === undefined || specOf(old)['storageClassName'] !== undefined) return false;
  const after = next.metadata.annotations?.[key];
  return specOf(next)['storageClassName'] === before && (after === undefined || after === before);
}

/** Claims stay as they are, but for the volume they are given, and their size once they are bound. */
export function validateClaimUpdate(next: ApiObject, old: ApiObject, names: Names): readonly FieldError[] {
  const before = specOf(old);
  const after = classMoved(next, old, names)
    ? { ...specOf(next), storageClassName: undefined }
    : specOf(next);
  const bound = statusOf(old)['phase'] === 'Bound';
  const errors: FieldError[] = [];
  if (!jsonEquals(comparable(after, before, bound), comparable(before, before, bound))) {
    const why = 'spec is immutable after creation except resources.requests for bound claims';
    errors.push(fieldError.forbidden('spec', why));
  }
  const [size, earlier] = [requested(after), requested(before)];
  if (size !== '' && earlier !== '' && compareQuantities(parseQuantity(size), parseQuantity(earlier)) < 0) {
    errors.push(
      fieldError.forbidden('spec.resources.requests.storage', 'field can not be less than previous value'),
    );
  }
  if (after['volumeMode'] !== before['volumeMode']) {
    // Clients know the member without `spec`.
    errors.push(fieldError.invalid('volumeMode', after['volumeMode'] ?? null, 'field is immutable'));
  }
  return errors;
}

/** Amounts of a bound claim are not negative. */
export const validateClaimStatus = (next: ApiObject): readonly FieldError[] =>
  amountsOf(statusOf(next)['capacity'])
    .filter(({ amount }) => quantitySign(amount) < 0)
    .map(({ name, text }) =>
      fieldError.invalid(`status.capacity[${name}]`, text, 'must be greater than or equal to 0'),
    );

import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { compareQuantities, parseQuantity, quantitySign } from '@orch/machinery/quantity';
import { requested } from '../shared/validation/claim-spec.ts';
import { amountsOf } from '../shared/validation/resources.ts';

/** The immutable part of the spec, on either side of an update. */
function comparable(
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  bound: boolean,
): object {
  const { volumeName, resources, ...rest } = spec;
  const { storage: _, ...others } = resources?.requests ?? {};
  return {
    ...rest,
    // The volume is set only once.
    volumeName: before.volumeName === undefined ? undefined : volumeName,
    resources: bound ? { limits: resources?.limits, requests: others } : resources,
  };
}

/** The class may move from the older annotation to the spec. */
function classMoved(next: PersistentVolumeClaim, old: PersistentVolumeClaim, names: Names): boolean {
  const key = names.annotations.betaStorageClass;
  const before = old.metadata.annotations?.[key];
  if (before === undefined || old.spec?.storageClassName !== undefined) return false;
  const after = next.metadata.annotations?.[key];
  return next.spec?.storageClassName === before && (after === undefined || after === before);
}

/** Checks that claims do not change, except for their volume, and their size once they are bound. */
export function validateClaimUpdate(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  names: Names,
): readonly FieldError[] {
  const before = old.spec ?? {};
  const { storageClassName: _, ...withoutClass } = next.spec ?? {};
  const after: PersistentVolumeClaimSpec = classMoved(next, old, names) ? withoutClass : (next.spec ?? {});
  const bound = old.status?.phase === 'Bound';
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
  if (after.volumeMode !== before.volumeMode) {
    // For compatibility, the path omits `spec`.
    errors.push(fieldError.invalid('volumeMode', after.volumeMode ?? null, 'field is immutable'));
  }
  return errors;
}

/** Checks that amounts of a bound claim are not negative. */
export const validateClaimStatus = (next: PersistentVolumeClaim): readonly FieldError[] =>
  amountsOf(next.status?.capacity)
    .filter(({ amount }) => quantitySign(amount) < 0)
    .map(({ name, text }) =>
      fieldError.invalid(`status.capacity[${name}]`, text, 'must be greater than or equal to 0'),
    );

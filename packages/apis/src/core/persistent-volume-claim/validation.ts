import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { qualifiedName } from '@orch/machinery/formats';
import { jsonEquals } from '@orch/machinery/json';
import { compareQuantities, parseQuantity, quantitySign } from '@orch/machinery/quantity';
import type { StrategyContext } from '../../resource-type.ts';
import { requested } from '../shared/validation/claim-spec.ts';
import { isNativeResource } from '../shared/validation/resource-names.ts';
import { type Amounts, amountsOf } from '../shared/validation/resources.ts';

/** The immutable part of the spec, on either side of an update. */
function comparable(
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  bound: boolean,
): object {
  const { volumeName, resources, volumeAttributesClassName, ...rest } = spec;
  const { storage: _, ...others } = resources?.requests ?? {};
  return {
    ...rest,
    // The volume is set only once.
    volumeName: before.volumeName === undefined ? undefined : volumeName,
    ...(bound
      ? { resources: { limits: resources?.limits, requests: others } }
      : { resources, volumeAttributesClassName }),
  };
}

type ClaimContext = Pick<StrategyContext, 'names' | 'since'>;

/** The class may move from the older annotation to the spec; a claim without one takes it later, from 1.26 on. */
function classMoved(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { names, since }: ClaimContext,
): boolean {
  const key = names.annotations.betaStorageClass;
  const before = old.metadata.annotations?.[key];
  const { storageClassName } = next.spec ?? {};
  if (storageClassName === undefined || old.spec?.storageClassName !== undefined) return false;
  if (before === undefined) return since('1.26', 'RetroactiveDefaultStorageClass');
  const after = next.metadata.annotations?.[key];
  return storageClassName === before && (after === undefined || after === before);
}

const isLess = (size: string, than: string): boolean =>
  compareQuantities(parseQuantity(size), parseQuantity(than)) < 0;

/** A claim does not shrink, but a failed expansion is taken back: to more than the volume has. */
function checkSize(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { since }: ClaimContext,
): readonly FieldError[] {
  const [size, before] = [next, old].map(({ spec }) => requested(spec ?? {}) || '0') as [string, string];
  if (!isLess(size, before)) return [];
  const path = 'spec.resources.requests.storage';
  if (!since('1.32', 'RecoverVolumeExpansionFailure'))
    return [fieldError.forbidden(path, 'field can not be less than previous value')];
  return isLess(`${old.status?.capacity?.['storage'] ?? '0'}`, size)
    ? []
    : [fieldError.forbidden(path, 'field can not be less than status.capacity')];
}

/** Once a volume has an attributes class, the claim names one. */
function checkAttributesClass(
  { spec: after }: PersistentVolumeClaim,
  { spec: before, status }: PersistentVolumeClaim,
): readonly FieldError[] {
  if (status?.currentVolumeAttributesClassName === undefined) return [];
  const name = after?.volumeAttributesClassName;
  if ((name ?? '') !== '' || name === before?.volumeAttributesClassName) return [];
  const to = name === undefined ? 'nil' : 'empty string';
  const why = `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [fieldError.forbidden('spec.volumeAttributesClassName', why)];
}

/** Checks that claims do not change, except for their volume, and their size once they are bound. */
export function validateClaimUpdate(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  context: ClaimContext,
): readonly FieldError[] {
  const before = old.spec ?? {};
  const { storageClassName: _, ...withoutClass } = next.spec ?? {};
  const after: PersistentVolumeClaimSpec = classMoved(next, old, context) ? withoutClass : (next.spec ?? {});
  const bound = old.status?.phase === 'Bound';
  const errors: FieldError[] = [];
  if (!jsonEquals(comparable(after, before, bound), comparable(before, before, bound))) {
    const changeable = context.since('1.34', 'VolumeAttributesClass')
      ? 'resources.requests and volumeAttributesClassName'
      : 'resources.requests';
    const why = `spec is immutable after creation except ${changeable} for bound claims`;
    errors.push(fieldError.forbidden('spec', why));
  }
  errors.push(...checkSize(next, old, context), ...checkAttributesClass(next, old));
  if (after.volumeMode !== before.volumeMode) {
    // For compatibility, the path omits `spec`.
    errors.push(fieldError.invalid('volumeMode', after.volumeMode ?? null, 'field is immutable'));
  }
  return errors;
}

/** Checks the amounts of a claim, and from 1.32 on what its expansion has reached. */
export function validateClaimStatus(
  { status = {} }: PersistentVolumeClaim,
  _old: PersistentVolumeClaim,
  { names, since }: ClaimContext,
): readonly FieldError[] {
  const errors = amountsOf(status.capacity).flatMap((entry) => checkAmount('status.capacity', entry));
  if (!since('1.32', 'RecoverVolumeExpansionFailure')) return errors;
  for (const [name, state] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    const path = `status.${since('1.34') ? 'allocatedResourceStatuses' : 'allocatedResourceStatus'}`;
    errors.push(...checkResource(path, name, names));
    if (!resizeStates.includes(state)) errors.push(fieldError.notSupported(path, name, resizeStates));
  }
  const path = 'status.allocatedResources';
  for (const entry of amountsOf(status.allocatedResources)) {
    const wrong = checkResource(path, entry.name, names);
    errors.push(...(wrong.length > 0 ? wrong : checkAmount(path, entry)));
  }
  return errors;
}

const checkAmount = (path: string, { name, text, amount }: Amounts[number]): readonly FieldError[] =>
  quantitySign(amount) < 0
    ? [fieldError.invalid(`${path}[${name}]`, text, 'must be greater than or equal to 0')]
    : [];

/** The states of the expansion of a resource. */
export const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Of the resources that nodes know, a claim may name only storage. */
function checkResource(path: string, name: string, names: Names): readonly FieldError[] {
  const wrong = qualifiedName(name);
  if (wrong !== undefined) return [fieldError.invalid(path, name, wrong)];
  return name === 'storage' || !isNativeResource(name, names)
    ? []
    : [fieldError.notSupported(path, name, ['storage'])];
}

import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { parseQuantity, quantitySign } from '@orch/machinery/quantity';
import type { Check } from '@orch/schema';
import { checkAccessModes } from './access-modes.ts';

export const requested = (spec: PersistentVolumeClaimSpec): string => spec.resources?.requests?.storage ?? '';

/** Checks claims, also those that a pod or a set creates from a template. */
export const checkClaimSpec: Check<PersistentVolumeClaimSpec> = (spec, { path }) => [
  ...checkAccessModes(`${path}.accessModes`, spec.accessModes ?? []),
  ...checkSize(`${path}.resources[storage]`, requested(spec)),
  ...(['dataSource', 'dataSourceRef'] as const).flatMap((field) =>
    checkSource(`${path}.${field}`, spec[field] ?? {}),
  ),
  ...checkSameSource(path, spec),
];

function checkSize(path: string, size: string): readonly FieldError[] {
  if (size === '') return [fieldError.required(path)];
  if (quantitySign(parseQuantity(size)) > 0) return [];
  return [fieldError.invalid(path, size, 'must be greater than zero')];
}

/** In the core group, only another claim can be a source. */
function checkSource(path: string, source: TypedLocalObjectReference): readonly FieldError[] {
  const kind = source.kind ?? '';
  if (kind === '' || (source.apiGroup ?? '') !== '' || kind === 'PersistentVolumeClaim') return [];
  return [fieldError.invalid(path, kind, 'must be PersistentVolumeClaim when apiGroup is empty')];
}

function checkSameSource(path: string, spec: PersistentVolumeClaimSpec): readonly FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource === undefined || dataSourceRef === undefined || jsonEquals(dataSource, dataSourceRef))
    return [];
  return [fieldError.invalid(path, dataSource, 'must match dataSourceRef')];
}

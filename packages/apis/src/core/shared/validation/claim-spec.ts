import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { parseQuantity, quantitySign } from '@orch/machinery/quantity';
import type { Check } from '@orch/schema';
import { checkFormat } from '../../../validation-rules.ts';
import { checkAccessModes } from './access-modes.ts';

export const requested = (spec: PersistentVolumeClaimSpec): string => spec.resources?.requests?.storage ?? '';

/** Checks claims, also those that a pod or a set creates from a template. */
export const checkClaimSpec: Check<PersistentVolumeClaimSpec> = (spec, { path, old, since }) => [
  ...checkAccessModes(`${path}.accessModes`, spec.accessModes ?? []),
  ...checkSize(`${path}.resources[storage]`, requested(spec)),
  ...(['dataSource', 'dataSourceRef'] as const).flatMap((field) =>
    checkSource(`${path}.${field}`, spec[field], since('1.30') && !namesGroup(old)),
  ),
  ...checkSameSource(path, spec),
];

function checkSize(path: string, size: string): readonly FieldError[] {
  if (size === '') return [fieldError.required(path)];
  if (quantitySign(parseQuantity(size)) > 0) return [];
  return [fieldError.invalid(path, size, 'must be greater than zero')];
}

/** Whether a claim names the group of a source: its group may then be any text. */
const namesGroup = (spec: PersistentVolumeClaimSpec | undefined): boolean =>
  (spec?.dataSource?.apiGroup ?? spec?.dataSourceRef?.apiGroup ?? undefined) !== undefined;

/** In the core group, only another claim can be a source. */
function checkSource(
  path: string,
  source: TypedLocalObjectReference | undefined,
  checksGroup: boolean,
): readonly FieldError[] {
  if (source === undefined) return [];
  const kind = source.kind ?? '';
  const apiGroup = source.apiGroup ?? '';
  if (apiGroup !== '')
    return checksGroup ? checkFormat('dns1123subdomain', `${path}.apiGroup`, apiGroup) : [];
  if (kind === 'PersistentVolumeClaim') return [];
  return [fieldError.invalid(path, kind, 'must be PersistentVolumeClaim when apiGroup is empty')];
}

/** Both fields name the same source; the older one names none of another namespace. */
function checkSameSource(path: string, spec: PersistentVolumeClaimSpec): readonly FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource === undefined || dataSourceRef === undefined) return [];
  const { namespace = '', ...local } = dataSourceRef;
  if (namespace !== '')
    return [
      fieldError.invalid(path, dataSource, 'may not be specified when dataSourceRef.namespace is specified'),
    ];
  return jsonEquals(dataSource, local)
    ? []
    : [fieldError.invalid(path, dataSource, 'must match dataSourceRef')];
}

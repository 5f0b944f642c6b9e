import type { StorageVersionMigration } from '@orch/kinds/storagemigration';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { StrategyContext } from '../../resource-type.ts';
import { checkFormat } from '../../validation-rules.ts';
import { isConditionTrue } from './conditions.ts';

type Migration = StorageVersionMigration;

const RESOURCE_PATH = 'spec.resource';

function checkResource({ spec }: Migration): readonly FieldError[] {
  const { group = '', resource = '' } = spec?.resource ?? {};
  return [
    ...(resource === ''
      ? [fieldError.required(`${RESOURCE_PATH}.resource`, 'must name a resource')]
      : checkFormat('dns1035label', `${RESOURCE_PATH}.resource`, resource)),
    ...(group === '' ? [] : checkFormat('dns1123subdomain', `${RESOURCE_PATH}.group`, group)),
  ];
}

/** Clients of v1alpha1 name a version, which has no effect: the server stores objects in one version only. */
function checkVersion({ metadata }: Migration, context: StrategyContext): readonly FieldError[] {
  if (context.requestVersion !== 'storagemigration/v1alpha1') return [];
  const version = metadata.annotations?.[context.names.annotations.migrationVersion] ?? '';
  return version === '' ? [fieldError.required(`${RESOURCE_PATH}.version`, 'must name a version')] : [];
}

export function validateMigration(
  next: Migration,
  old: Migration | undefined,
  context: StrategyContext,
): readonly FieldError[] {
  const own = checkResource(next);
  if (old === undefined) return [...own, ...checkVersion(next, context)];
  return jsonEquals(next.spec, old.spec)
    ? own
    : [...own, fieldError.invalid('spec', next.spec, 'field is immutable')];
}

const resourceVersionOf = ({ status }: Migration): string => status?.resourceVersion ?? '';

/** Checks that the result of a migration is final, and that a migration with a result does not run. */
export function validateMigrationStatus(next: Migration, old: Migration): readonly FieldError[] {
  const conditionsPath = 'status.conditions';
  const errors: FieldError[] = [];
  const invalid = (path: string, value: unknown, why: string): unknown =>
    errors.push(fieldError.invalid(path, value, why));
  const version = resourceVersionOf(next);
  const versionPath = 'status.resourceVersion';
  if (!/^\d{0,20}$/.test(version)) invalid(versionPath, version, 'must be a number');
  if (resourceVersionOf(old) !== '' && version !== resourceVersionOf(old))
    invalid(versionPath, version, 'field is immutable');
  const { conditions } = next.status ?? {};
  if (isConditionTrue(next, 'Succeeded') && isConditionTrue(next, 'Failed'))
    invalid(conditionsPath, conditions, 'Succeeded and Failed cannot both be true');
  for (const result of ['Succeeded', 'Failed']) {
    if (isConditionTrue(next, result) && isConditionTrue(next, 'Running'))
      invalid(conditionsPath, conditions, `Running cannot be true while ${result} is true`);
    if (isConditionTrue(old, result) && !isConditionTrue(next, result))
      invalid(conditionsPath, conditions, `${result} cannot change once it is true`);
  }
  return errors;
}

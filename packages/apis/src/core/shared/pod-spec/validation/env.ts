import type { ConfigMapEnvSource, EnvFromSource, EnvVar, EnvVarSource } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkFormat, presentOf } from '../../../../validation-rules.ts';
import { checkDownwardField, checkResourceField, envFields } from '../../validation/downward.ts';

const valueSources = [
  'fieldRef',
  'resourceFieldRef',
  'configMapKeyRef',
  'secretKeyRef',
  'fileKeyRef',
] as const;

/** Checks that a value has exactly one source: `value`, or one field of `valueFrom`. */
export const checkEnvVar: Check<EnvVar> = (variable, { path }) => {
  const from = variable.valueFrom;
  if (from === undefined) return [];
  const at = `${path}.valueFrom`;
  const present = presentOf(from, valueSources);
  if ((variable.value ?? '') !== '' && present.length > 0) {
    return [fieldError.invalid(at, '', 'may not be specified when `value` is not empty')];
  }
  if (present.length === 0) {
    return [
      fieldError.invalid(
        at,
        '',
        `must specify one of: ${valueSources
          .slice(0, 4)
          .map((name) => `\`${name}\``)
          .join(', ')}`,
      ),
    ];
  }
  if (present.length > 1) {
    return [fieldError.invalid(at, '', 'may not have more than one field specified at a time')];
  }
  return checkSource(at, from);
};

function checkSource(path: string, source: EnvVarSource): readonly FieldError[] {
  if (source.fieldRef !== undefined)
    return checkDownwardField(`${path}.fieldRef`, source.fieldRef, envFields);
  if (source.resourceFieldRef !== undefined) {
    return checkResourceField(`${path}.resourceFieldRef`, source.resourceFieldRef, 'env');
  }
  return [];
}

/** The object whose key is taken has a name that objects of its kind can have. */
export const checkKeySelector: Check<ConfigMapEnvSource> = (selector, { path }) =>
  checkFormat('dns1123subdomain', `${path}.name`, selector.name ?? '');

/** As `checkKeySelector`, where all keys are taken. */
export const checkEnvSource = checkKeySelector;

/** Every source of `envFrom` names one object. For compatibility, errors name the list. */
export function checkEnvFrom(path: string, sources: readonly EnvFromSource[]): readonly FieldError[] {
  return sources.flatMap((source) => {
    const present = presentOf(source, ['configMapRef', 'secretRef']);
    if (present.length === 0) {
      return [fieldError.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')];
    }
    if (present.length > 1)
      return [fieldError.invalid(path, '', 'may not have more than one field specified at a time')];
    return [];
  });
}

import type {
  ConfigMapEnvSource,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
} from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check, CheckContext } from '@orch/schema';
import { checkFormat, checkNoBacksteps, presentOf } from '../../../../validation-rules.ts';
import { checkDownwardField, checkResourceField, envFields } from '../../validation/downward.ts';

const valueSources = [
  'fieldRef',
  'resourceFieldRef',
  'configMapKeyRef',
  'secretKeyRef',
  'fileKeyRef',
] as const;

/** Checks a name, or the start of names; later releases allow every printable character. */
function checkName({ since }: Pick<CheckContext, 'since'>, path: string, name = ''): readonly FieldError[] {
  if (name === '') return [];
  const isRelaxed = since('1.32', 'RelaxedEnvironmentVariableValidation');
  return checkFormat(isRelaxed ? 'printableVarName' : 'envVarName', path, name);
}

/** Checks what is put before the keys of `envFrom`. */
export const checkPrefix: Check<EnvFromSource> = ({ prefix }, context) =>
  checkName(context, `${context.path}.prefix`, prefix);

/** Checks the path of a file in a volume. */
export const checkFileKey: Check<FileKeySelector> = (selector, { path }) =>
  checkNoBacksteps(`${path}.path`, selector.path ?? '');

/** Checks the name of a variable, and its source. */
export const checkEnvVar: Check<EnvVar> = (variable, context) => [
  ...checkName(context, `${context.path}.name`, variable.name),
  ...checkSources(variable, context),
];

/** Checks that a value has exactly one source: `value`, or one field of `valueFrom`. */
function checkSources(
  variable: EnvVar,
  { path, since }: Pick<CheckContext, 'path' | 'since'>,
): readonly FieldError[] {
  const from = variable.valueFrom;
  if (from === undefined) return [];
  const at = `${path}.valueFrom`;
  const present = presentOf(from, valueSources);
  const errors = checkSource(at, from);
  if ((variable.value ?? '') !== '' && present.length > 0) {
    return [...errors, fieldError.invalid(at, '', 'may not be specified when `value` is not empty')];
  }
  if (present.length === 0) {
    const known = since('1.35', 'EnvFiles') ? valueSources : valueSources.slice(0, 4);
    const names = known.map((name) => `\`${name}\``).join(', ');
    return [fieldError.invalid(at, '', `must specify one of: ${names}`)];
  }
  return present.length > 1
    ? [...errors, fieldError.invalid(at, '', 'may not have more than one field specified at a time')]
    : errors;
}

const checkSource = (path: string, { fieldRef, resourceFieldRef }: EnvVarSource): readonly FieldError[] => [
  ...(fieldRef === undefined ? [] : checkDownwardField(`${path}.fieldRef`, fieldRef, envFields)),
  ...(resourceFieldRef === undefined
    ? []
    : checkResourceField(`${path}.resourceFieldRef`, resourceFieldRef, 'env')),
];

/** The object whose key is taken has a name that objects of its kind can have. */
export const checkKeySelector: Check<ConfigMapEnvSource> = (selector, { path }) =>
  checkFormat('dns1123subdomain', `${path}.name`, selector.name ?? '');

/** As `checkKeySelector`, where all keys are taken. */
export const checkEnvSource: Check<ConfigMapEnvSource> = (selector, context) =>
  (selector.name ?? '') === ''
    ? [fieldError.required(`${context.path}.name`)]
    : checkKeySelector(selector, context);

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

import type { CustomResourceDefinitionVersion } from '@orch/kinds/apiextensions';
import { type FieldError, fieldError } from '@orch/machinery';
import { checkFormat } from '../../../validation-rules.ts';

const MAX_WARNING = 256;
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

function warningProblem(warning: string): string | undefined {
  if (warning === '') return 'must not be an empty string';
  if (Buffer.byteLength(warning) > MAX_WARNING) return `must be <= ${MAX_WARNING} characters`;
  return unprintable.test(warning) ? 'must only contain printable UTF-8 characters' : undefined;
}

function checkWarning(path: string, version: CustomResourceDefinitionVersion): readonly FieldError[] {
  const warning = version.deprecationWarning;
  if (warning === undefined) return [];
  const wrong =
    version.deprecated === true ? warningProblem(warning) : 'can only be set for deprecated versions';
  return wrong === undefined ? [] : [fieldError.invalid(path, warning, wrong)];
}

/** Checks that versions have unique names and that objects are stored in exactly one of them. */
export function checkVersions(versions: readonly CustomResourceDefinitionVersion[]): readonly FieldError[] {
  const path = 'spec.versions';
  const names = versions.map(({ name }) => name ?? '');
  const errors = versions.flatMap((version, i) => [
    ...checkFormat('dns1035label', `${path}[${i}].name`, names[i] ?? ''),
    ...checkWarning(`${path}[${i}].deprecationWarning`, version),
  ]);
  if (new Set(names).size !== names.length)
    errors.push(fieldError.invalid(path, names, 'must contain unique version names'));
  if (versions.filter(({ storage }) => storage === true).length !== 1)
    errors.push(fieldError.invalid(path, names, 'must have exactly one version marked as storage version'));
  return errors;
}

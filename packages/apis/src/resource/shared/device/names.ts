import { type FieldError, fieldError } from '@orch/machinery';
import { checkDriverName, checkFormat } from '../../../validation-rules.ts';

const MAX_POOL_BYTES = 253;
const MAX_ID_BYTES = 32;

/** Checks a required name of a pool: domain names joined by slashes. */
export function checkPoolName(path: string, name = ''): readonly FieldError[] {
  if (name === '') return [fieldError.required(path, '')];
  if (name.length > MAX_POOL_BYTES) return [fieldError.tooLong(path, MAX_POOL_BYTES)];
  return name.split('/').flatMap((part) => checkFormat('dns1123subdomain', path, part));
}

function checkId(path: string, id: string): readonly FieldError[] {
  if (id === '') return [fieldError.invalid(path, id, 'the name must not be empty')];
  return [
    ...(id.length > MAX_ID_BYTES ? [fieldError.tooLong(path, MAX_ID_BYTES)] : []),
    ...checkFormat('cIdentifier', path, id),
  ];
}

/**
 * Checks the name of an attribute or capacity: an identifier, with the domain of a driver before it or without. Names with more
 * than one slash are not checked, as in the reference.
 */
export function checkQualifiedName(path: string, name: string): readonly FieldError[] {
  const [first = '', second, ...more] = name.split('/');
  if (second === undefined) return checkId(path, first);
  if (more.length > 0) return [];
  const domain =
    first === ''
      ? [fieldError.invalid(path, first, 'the domain must not be empty')]
      : checkDriverName(path, first);
  return [...domain, ...checkId(path, second)];
}

/** Checks the name of an attribute that must have a domain. */
export const checkFullyQualifiedName = (path: string, name: string): readonly FieldError[] => [
  ...checkQualifiedName(path, name),
  ...(name.includes('/')
    ? []
    : [
        fieldError.invalid(
          path,
          name,
          'a fully qualified name must be a domain and a name separated by a slash',
        ),
      ]),
];

import { type FieldError, fieldError, validateFormat, validateLabels } from '@orch/machinery';
import { asStringMap } from './read.ts';

/** What is wrong with a value of a format of machinery's table. */
export function checkFormat(format: string, path: string, value: unknown): readonly FieldError[] {
  const wrong = validateFormat(format, value);
  return wrong === undefined ? [] : [fieldError.invalid(path, value, wrong)];
}

/** A map of labels, such as a node selector; errors name the map. */
export const checkLabelMap = (path: string, labels: unknown): readonly FieldError[] =>
  labels === undefined ? [] : validateLabels(asStringMap(labels), path);

/** A path below another one: relative, and never upwards. */
export function checkDescendingPath(path: string, value: string): readonly FieldError[] {
  return [
    ...(value.startsWith('/') ? [fieldError.invalid(path, value, 'must be a relative path')] : []),
    ...checkNoBacksteps(path, value),
  ];
}

/** No part of the path may be `..`. */
export const checkNoBacksteps = (path: string, value: string): readonly FieldError[] =>
  value.split('/').includes('..') ? [fieldError.invalid(path, value, "must not contain '..'")] : [];

/** Port number, or name of a port. */
export const checkPort = (path: string, port: unknown): readonly FieldError[] =>
  checkFormat(typeof port === 'string' ? 'portName' : 'portNumber', path, port);

/** Which of these members an object has, in this order. */
export const presentOf = (
  value: Readonly<Record<string, unknown>>,
  members: readonly string[],
): readonly string[] => members.filter((member) => value[member] !== undefined && value[member] !== null);

/**
 * Exactly one of several members: none is missing at the path itself, every one beyond the first is forbidden at its
 * own. `what` names the members in messages: `handler type`.
 */
export function checkExactlyOne(
  path: string,
  value: Readonly<Record<string, unknown>>,
  members: readonly string[],
  what: string,
): readonly FieldError[] {
  const present = presentOf(value, members);
  if (present.length === 0) return [fieldError.required(path, `must specify a ${what}`)];
  return present
    .slice(1)
    .map((member) => fieldError.forbidden(`${path}.${member}`, `may not specify more than 1 ${what}`));
}

import { type FieldError, fieldError } from '@orch/machinery';
import { validateFormat } from '@orch/machinery/formats';
import { validateLabels } from '@orch/machinery/object-meta';

/** Checks a value against a format of machinery's table. */
export function checkFormat(format: string, path: string, value: unknown): readonly FieldError[] {
  const wrong = validateFormat(format, value);
  return wrong === undefined ? [] : [fieldError.invalid(path, value, wrong)];
}

/** Checks a map of labels, such as a node selector; errors name the map. */
export const checkLabelMap = (
  path: string,
  labels: Readonly<Record<string, string>> | undefined,
): readonly FieldError[] => (labels === undefined ? [] : validateLabels(labels, path));

/** Checks a relative path that never leads upwards. */
export function checkDescendingPath(path: string, value: string): readonly FieldError[] {
  return [
    ...(value.startsWith('/') ? [fieldError.invalid(path, value, 'must be a relative path')] : []),
    ...checkNoBacksteps(path, value),
  ];
}

/** No segment of the path may be `..`. */
export const checkNoBacksteps = (path: string, value: string): readonly FieldError[] =>
  value.split('/').includes('..') ? [fieldError.invalid(path, value, "must not contain '..'")] : [];

/** Checks a port number, or the name of a port. */
export const checkPort = (path: string, port: unknown): readonly FieldError[] =>
  checkFormat(typeof port === 'string' ? 'portName' : 'portNumber', path, port);

/** The fields of these that an object has, in this order. */
export const presentOf = <K extends string>(
  value: { readonly [name in K]?: unknown },
  names: readonly K[],
): readonly K[] => names.filter((name) => value[name] !== undefined && value[name] !== null);

/**
 * Checks that exactly one of several fields is set. When there is none, the error is at the path itself; every field
 * after the first is forbidden at its own path. `what` names the fields in messages: `handler type`.
 */
export function checkExactlyOne<K extends string>(
  path: string,
  value: { readonly [name in K]?: unknown },
  names: readonly K[],
  what: string,
): readonly FieldError[] {
  const present = presentOf(value, names);
  if (present.length === 0) return [fieldError.required(path, `must specify a ${what}`)];
  return present
    .slice(1)
    .map((name) => fieldError.forbidden(`${path}.${name}`, `may not specify more than 1 ${what}`));
}

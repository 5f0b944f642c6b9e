import { type FieldError, fieldError } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { validateFormat } from '@orch/machinery/formats';
import type { JsonObject } from '@orch/machinery/json';
import { validateLabels } from '@orch/machinery/object-meta';
import type { Check, CheckContext } from '@orch/schema';

/** Checks a value against a format of machinery's table. */
export function checkFormat(format: string, path: string, value: unknown): readonly FieldError[] {
  const wrong = validateFormat(format, value);
  return wrong === undefined ? [] : [fieldError.invalid(path, value, wrong)];
}

/** Does work of checks at once; that of a large object is left to the caller, which does it in pieces. */
export function checkInPieces(
  work: Work<readonly FieldError[]>,
  { postponed, isDivided = false }: Pick<CheckContext, 'postponed' | 'isDivided'>,
): readonly FieldError[] {
  if (postponed === undefined || !isDivided) return atOnce(work);
  postponed.push(work);
  return [];
}

const MAX_DRIVER_NAME = 63;

/** Checks the name of a driver, in which capitals are tolerated. */
export const checkDriverName = (path: string, name: string): readonly FieldError[] => [
  ...(name.length > MAX_DRIVER_NAME ? [fieldError.tooLong(path, MAX_DRIVER_NAME)] : []),
  ...checkFormat('dns1123subdomain', path, name.toLowerCase()),
];

/** The name of a driver in the field `name`, where there is one. */
export const driverName =
  (name: string): Check =>
  (value, { path }) => {
    const text = value[name];
    return typeof text === 'string' && text !== '' ? checkDriverName(`${path}.${name}`, text) : [];
  };

/** Checks a map of labels, such as a node selector; errors name the map. */
export const checkLabelMap = (
  path: string,
  labels: Readonly<Record<string, string>> | undefined,
): readonly FieldError[] => (labels === undefined ? [] : validateLabels(labels, path));

/** Checks a relative path that never leads upwards. */
export function checkDescendingPath(path: string, value: string): readonly FieldError[] {
  const errors = checkNoBacksteps(path, value);
  return value.startsWith('/')
    ? [fieldError.invalid(path, value, 'must be a relative path'), ...errors]
    : errors;
}

/** No segment of the path may be `..`. */
export const checkNoBacksteps = (path: string, value: string): readonly FieldError[] =>
  value.includes('..') && value.split('/').includes('..')
    ? [fieldError.invalid(path, value, "must not contain '..'")]
    : [];

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

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/**
 * Exactly one of the fields is set; lists are set when they have items. An update is checked if it changes which fields
 * are set.
 */
export const exactlyOneOf =
  (...names: readonly string[]): Check =>
  (value, { path, old }) => {
    const present = names.filter((name) => isSet(value[name]));
    if (present.length === 1) return [];
    if (old !== undefined && names.every((name) => isSet(value[name]) === isSet(old[name]))) return [];
    const all = names.map((name) => `\`${name}\``).join(', ');
    return present.length === 0
      ? [fieldError.invalid(path, '', `must specify one of: ${all}`)]
      : [fieldError.invalid(path, `{${present.join(', ')}}`, `must specify exactly one of: ${all}`)];
  };

/** Updates neither set nor clear the fields. */
export const fixedMembers =
  (...names: readonly string[]): Check =>
  (value, { path, old }) =>
    old === undefined
      ? []
      : names.flatMap((name) => {
          const [is, was] = [isSet(value[name]), isSet(old[name])];
          if (is === was) return [];
          const why = is ? 'field cannot be set once created' : 'field cannot be cleared once set';
          return [fieldError.invalid(`${path}.${name}`, null, why)];
        });

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Checks a UUID in lower case. */
export const checkUuid = (path: string, id: string): readonly FieldError[] =>
  uuid.test(id)
    ? []
    : [
        fieldError.invalid(
          path,
          id,
          'must be a UUID with lowercase hexadecimal digits, as in `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`',
        ),
      ];

/** Reports the items whose key an earlier item has: with their field `field`, where one is named. */
export function checkUnique<T>(
  path: string,
  list: readonly T[],
  keyOf: (item: T) => string,
  field = '',
): readonly FieldError[] {
  const known = new Set<string>();
  return list.flatMap((item, i) => {
    const key = keyOf(item);
    if (known.has(key)) return [fieldError.duplicate(`${path}[${i}]${field === '' ? '' : `.${field}`}`, key)];
    known.add(key);
    return [];
  });
}

/** The items of the list `field` differ in the field `key`. */
export const uniqueItems =
  (field: string, key: string): Check =>
  (value, { path }) => {
    const list = value[field];
    return Array.isArray(list)
      ? checkUnique(`${path}.${field}`, list as readonly JsonObject[], (item) => String(item[key] ?? ''))
      : [];
  };

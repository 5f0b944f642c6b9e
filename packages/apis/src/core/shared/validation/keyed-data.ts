import { type ApiObject, type FieldError, fieldError } from '@orch/machinery';
import { Pace, type Work } from '@orch/machinery/concurrency';
import { jsonEquals, widthOf } from '@orch/machinery/json';
import { checkFormat } from '../../../validation-rules.ts';

/** Maximum size of all values of one config map or secret. */
export const MAX_DATA_BYTES = 1_048_576;

/** Keys become names of files. */
export const checkKeys = (
  path: string,
  data: Readonly<Record<string, string>> | undefined,
): readonly FieldError[] => Object.keys(data ?? {}).flatMap((key) => checkKey(path, key));

const checkKey = (path: string, key: string): readonly FieldError[] =>
  checkFormat('configMapKey', `${path}[${key}]`, key);

/** Whether data has so many keys that the checks of all of them are divided. */
export const isWide = (data: object | undefined): boolean =>
  data !== undefined && widthOf(data) !== undefined;

/** As `checkKeys`, in pieces. */
export function* checkKeysInPieces(
  path: string,
  data: Readonly<Record<string, string>> | undefined,
): Work<readonly FieldError[]> {
  const pace = new Pace();
  const errors: FieldError[] = [];
  for (const key of Object.keys(data ?? {})) {
    if (pace.isDue()) yield;
    errors.push(...checkKey(path, key));
  }
  yield;
  return errors;
}

/** Bytes of all values; with `encoding` base64, of the decoded values. */
export function sizeOf(
  data: Readonly<Record<string, string>> | undefined,
  encoding: 'utf8' | 'base64',
): number {
  let bytes = 0;
  // Of an object with thousands of fields, the names and a look at each are cheaper than the list of values.
  for (const key of Object.keys(data ?? {})) bytes += Buffer.byteLength(data?.[key] ?? '', encoding);
  return bytes;
}

const frozen = 'field is immutable when `immutable` is set';

/** Checks that immutable data does not change, and stays immutable. */
export function checkFrozen(
  next: ApiObject,
  old: ApiObject,
  fields: readonly string[],
): readonly FieldError[] {
  if (old.immutable !== true) return [];
  const thawed = next.immutable === true ? [] : [fieldError.forbidden('immutable', frozen)];
  const changed = fields.filter((field) => !jsonEquals(next[field], old[field]));
  return [...thawed, ...changed.map((field) => fieldError.forbidden(field, frozen))];
}

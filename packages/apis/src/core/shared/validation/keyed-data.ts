import { type ApiObject, type FieldError, fieldError } from '@orch/machinery';
import { Pace, type Work } from '@orch/machinery/concurrency';
import { jsonEquals, widthOf } from '@orch/machinery/json';
import { checkFormat } from '../../../validation-rules.ts';

/** Maximum size of all values of one config map or secret. */
export const MAX_DATA_BYTES = 1_048_576;

type TextMap = Readonly<Record<string, string>>;

/** How values are written: the size of base64 is that of the decoded bytes. */
type ValueEncoding = 'utf8' | 'base64';

/** Data whose keys have been checked. */
export interface CheckedData {
  readonly errors: readonly FieldError[];
  /** Size of all values. */
  readonly bytes: number;
}

/** Checks the entries of data one by one. */
class DataCheck implements CheckedData {
  readonly errors: FieldError[] = [];
  bytes = 0;
  readonly #path: string;
  readonly #data: TextMap;
  readonly #encoding: ValueEncoding;

  constructor(path: string, data: TextMap, encoding: ValueEncoding) {
    this.#path = path;
    this.#data = data;
    this.#encoding = encoding;
  }

  /** Of an object with thousands of fields, the names and a look at each are cheaper than the list of values. */
  get keys(): readonly string[] {
    return Object.keys(this.#data);
  }

  /** Keys become names of files. */
  check(key: string): void {
    this.errors.push(...checkFormat('configMapKey', `${this.#path}[${key}]`, key));
    this.bytes += Buffer.byteLength(this.#data[key] ?? '', this.#encoding);
  }
}

/** Checks the keys of data, and measures its values. */
export function checkData(path: string, data: TextMap = {}, encoding: ValueEncoding = 'utf8'): CheckedData {
  const check = new DataCheck(path, data, encoding);
  for (const key of check.keys) check.check(key);
  return check;
}

/** Whether data has so many keys that the checks of all of them are divided. */
export const isWide = (data: object | undefined): boolean =>
  data !== undefined && widthOf(data) !== undefined;

/** Like `checkData`, in pieces. */
export function* checkDataInPieces(
  path: string,
  data: TextMap = {},
  encoding: ValueEncoding = 'utf8',
): Work<CheckedData> {
  const pace = new Pace();
  const check = new DataCheck(path, data, encoding);
  for (const key of check.keys) {
    if (pace.isDue()) yield;
    check.check(key);
  }
  yield;
  return check;
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

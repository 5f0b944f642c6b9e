import { atOnce, Pace, type Work } from '@orch/machinery/concurrency';
import {
  approximateNumber,
  hasManyParts,
  isJsonObject,
  type JsonObject,
  jsonEquals,
  jsonEqualsInPieces,
} from '@orch/machinery/json';
import { fieldSchema, type StructuralSchema } from '../structural-schema.ts';

/** The old value where there is none to compare with: on create, and where an update has no counterpart. */
export const noPast: unique symbol = Symbol('noPast');

/** The value of a field before the update. */
export function pastField(old: unknown, name: string): unknown {
  return isJsonObject(old) && Object.hasOwn(old, name) ? old[name] : noPast;
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'boolean';

/** Identity of an item of a list of type map; undefined where a key is missing or no scalar. */
function identityOf(item: unknown, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const values = keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined));
  const isIdentified = values.every((value) => isScalar(value) || approximateNumber(value) !== undefined);
  return isIdentified ? JSON.stringify(values) : undefined;
}

/** Finds items of the old list. Items of lists that are not merged by keys have no counterpart. */
export class PastItems {
  readonly #keys: readonly string[];
  readonly #byIdentity = new Map<string, unknown>();

  private constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  static of(schema: StructuralSchema, old: unknown): PastItems | undefined {
    return atOnce(PastItems.finding(schema, old, new Pace()));
  }

  /** Like `of`, in pieces. */
  static *finding(
    { listType, mapKeys }: StructuralSchema,
    old: unknown,
    pace: Pace,
  ): Work<PastItems | undefined> {
    if (listType !== 'map' || mapKeys === undefined || !Array.isArray(old)) return undefined;
    const past = new PastItems(mapKeys);
    for (const item of old) {
      if (pace.isDue()) yield;
      past.#add(item);
    }
    return past;
  }

  #add(item: unknown): void {
    const identity = identityOf(item, this.#keys);
    // The first of several counts.
    if (identity !== undefined && !this.#byIdentity.has(identity)) this.#byIdentity.set(identity, item);
  }

  of(item: unknown): unknown {
    const identity = identityOf(item, this.#keys);
    return identity === undefined ? noPast : (this.#byIdentity.get(identity) ?? noPast);
  }
}

/**
 * Reports whether an update does not change a value. The order of lists that are merged by keys does not count; objects
 * with fields that the schema does not describe are never equal.
 */
export function isUnchanged(value: unknown, old: unknown, schema: StructuralSchema): boolean {
  if (old === noPast) return false;
  if (Array.isArray(value) && Array.isArray(old)) return sameItems(value, old, schema);
  if (isJsonObject(value) && isJsonObject(old)) return sameFields(value, old, schema);
  return jsonEquals(value, old);
}

function sameItems(value: readonly unknown[], old: readonly unknown[], schema: StructuralSchema): boolean {
  if (value.length !== old.length) return false;
  const past = PastItems.of(schema, old);
  if (past === undefined) return jsonEquals(value, old);
  return value.every((item) => isUnchanged(item, past.of(item), schema.items ?? {}));
}

function sameFields(value: JsonObject, old: JsonObject, schema: StructuralSchema): boolean {
  const names = Object.keys(value);
  if (names.length !== Object.keys(old).length) return false;
  return names.every((name) => {
    const field = fieldSchema(schema, name);
    return field !== undefined && isUnchanged(value[name], pastField(old, name), field);
  });
}

/** Like `isUnchanged`, of a value with many parts, in pieces. */
export function* comparingWithPast(
  [value, old]: readonly [value: unknown, old: unknown],
  schema: StructuralSchema,
  pace: Pace,
): Work<boolean> {
  if (old === noPast) return false;
  if (Array.isArray(value) && Array.isArray(old)) return yield* comparingItems([value, old], schema, pace);
  if (isJsonObject(value) && isJsonObject(old)) return yield* comparingFields([value, old], schema, pace);
  return jsonEquals(value, old);
}

function* comparingPart(
  [value, old]: readonly [value: unknown, old: unknown],
  schema: StructuralSchema,
  pace: Pace,
): Work<boolean> {
  if (pace.isDue()) yield;
  return hasManyParts(value)
    ? yield* comparingWithPast([value, old], schema, pace)
    : isUnchanged(value, old, schema);
}

function* comparingItems(
  [value, old]: readonly [readonly unknown[], readonly unknown[]],
  schema: StructuralSchema,
  pace: Pace,
): Work<boolean> {
  if (value.length !== old.length) return false;
  const past = yield* PastItems.finding(schema, old, pace);
  if (past === undefined) return yield* jsonEqualsInPieces(value, old);
  for (const item of value)
    if (!(yield* comparingPart([item, past.of(item)], schema.items ?? {}, pace))) return false;
  return true;
}

function* comparingFields(
  [value, old]: readonly [JsonObject, JsonObject],
  schema: StructuralSchema,
  pace: Pace,
): Work<boolean> {
  const names = Object.keys(value);
  if (names.length !== Object.keys(old).length) return false;
  for (const name of names) {
    const field = fieldSchema(schema, name);
    if (field === undefined) return false;
    if (!(yield* comparingPart([value[name], pastField(old, name)], field, pace))) return false;
  }
  return true;
}

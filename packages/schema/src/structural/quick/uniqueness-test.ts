import type { Pace, Work } from '@orch/machinery/concurrency';
import { hasManyParts, isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { StructuralSchema } from '../../structural-schema.ts';

type Scalar = string | number | boolean | undefined;

const isScalar = (value: unknown): value is Scalar =>
  value === undefined || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Reports whether all values are scalars, and no two are equal. */
function areUnique(values: readonly unknown[]): boolean {
  return values.every(isScalar) && new Set(values).size === values.length;
}

function fieldOf(item: unknown, key: string): unknown {
  return isJsonObject(item) && Object.hasOwn(item, key) ? item[key] : undefined;
}

/** Like `areUnique` of the identities of items, in pieces. */
function* areUniqueInPieces(
  items: readonly unknown[],
  pace: Pace,
  identityOf: (item: unknown) => unknown,
): Work<boolean> {
  const seen = new Set<unknown>();
  for (const item of items) {
    if (pace.isDue()) yield;
    const identity = identityOf(item);
    if (!isScalar(identity) || seen.has(identity)) return false;
    seen.add(identity);
  }
  return true;
}

/** The keys of an item as a scalar that is equal where the keys are, and perhaps where they are not. */
function identityBy(keys: readonly string[]): (item: unknown) => unknown {
  const [key, ...others] = keys;
  if (key !== undefined && others.length === 0) return (item) => fieldOf(item, key);
  return (item) => {
    const values = keys.map((name) => fieldOf(item, name));
    return values.every(isScalar) ? values.join('\n') : null;
  };
}

const itself = (item: unknown): unknown => item;
/** Items that are not objects are wrong, as those without a scalar for an identity. */
const ofObjects =
  (identityOf: (item: unknown) => unknown) =>
  (item: unknown): unknown =>
    isJsonObject(item) ? identityOf(item) : null;

/** The elements of a list, or the members of an object. */
interface Parts {
  readonly items: UniquenessTest | undefined;
  readonly properties: readonly (readonly [name: string, test: UniquenessTest])[];
  readonly values: UniquenessTest | undefined;
}

/**
 * Tests whether all items of sets, and the keys of all items of lists of type map, are certainly unique. Other lists need
 * the full check: those with repeated items, and those with items that are not scalars.
 */
export class UniquenessTest {
  readonly #schema: StructuralSchema;
  readonly #parts: Parts;

  private constructor(schema: StructuralSchema, parts: Parts) {
    this.#schema = schema;
    this.#parts = parts;
  }

  /** Undefined where a schema has no such lists. */
  static of(schema: StructuralSchema): UniquenessTest | undefined {
    const { additionalProperties, items, listType } = schema;
    const parts: Parts = {
      items: items === undefined ? undefined : UniquenessTest.of(items),
      properties: [...(schema.properties ?? [])].flatMap(([name, property]) => {
        const test = UniquenessTest.of(property);
        return test === undefined ? [] : [[name, test] as const];
      }),
      values: typeof additionalProperties === 'object' ? UniquenessTest.of(additionalProperties) : undefined,
    };
    const isNeeded =
      listType === 'set' ||
      listType === 'map' ||
      (parts.items ?? parts.values) !== undefined ||
      parts.properties.length > 0;
    return isNeeded ? new UniquenessTest(schema, parts) : undefined;
  }

  holds(value: unknown): boolean {
    if (Array.isArray(value)) return this.#holdsList(value);
    return !isJsonObject(value) || this.#holdsObject(value);
  }

  #holdsList(list: readonly unknown[]): boolean {
    const { listType, mapKeys = [] } = this.#schema;
    if (listType === 'set' && !areUnique(list)) return false;
    if (listType === 'map') {
      if (!areUnique(list.map(ofObjects(identityBy(mapKeys))))) return false;
    }
    const { items } = this.#parts;
    return items === undefined || list.every((item) => items.holds(item));
  }

  /** Like `holds`, of a value with many parts, in pieces. */
  *holding(value: unknown, pace: Pace): Work<boolean> {
    if (Array.isArray(value)) return yield* this.#holdingList(value, pace);
    return !isJsonObject(value) || (yield* this.#holdingObject(value, pace));
  }

  *#holdingList(list: readonly unknown[], pace: Pace): Work<boolean> {
    const { listType, mapKeys = [] } = this.#schema;
    if (listType === 'set' || listType === 'map') {
      const identityOf = listType === 'set' ? itself : ofObjects(identityBy(mapKeys));
      if (!(yield* areUniqueInPieces(list, pace, identityOf))) return false;
    }
    const { items } = this.#parts;
    if (items === undefined) return true;
    for (const item of list) if (!(yield* holdingPart(items, item, pace))) return false;
    return true;
  }

  *#holdingObject(object: JsonObject, pace: Pace): Work<boolean> {
    const { properties, values } = this.#parts;
    for (const [name, test] of properties)
      if (Object.hasOwn(object, name) && !(yield* holdingPart(test, object[name], pace))) return false;
    if (values === undefined) return true;
    for (const name of Object.keys(object)) {
      if (this.#schema.properties?.has(name) === true) continue;
      if (!(yield* holdingPart(values, object[name], pace))) return false;
    }
    return true;
  }

  #holdsObject(object: JsonObject): boolean {
    const { properties, values } = this.#parts;
    for (const [name, test] of properties)
      if (Object.hasOwn(object, name) && !test.holds(object[name])) return false;
    if (values === undefined) return true;
    return Object.keys(object).every(
      (name) => this.#schema.properties?.has(name) === true || values.holds(object[name]),
    );
  }
}

function* holdingPart(test: UniquenessTest, part: unknown, pace: Pace): Work<boolean> {
  if (pace.isDue()) yield;
  return hasManyParts(part) ? yield* test.holding(part, pace) : test.holds(part);
}

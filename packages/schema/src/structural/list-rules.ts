import { type FieldError, fieldError } from '@orch/machinery';
import { atOnce, Pace, type Work } from '@orch/machinery/concurrency';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { StructuralSchema } from '../structural-schema.ts';
import { fieldSchema, someStructure } from '../structural-schema.ts';
import { sortBytewise } from '../walk/sort-bytewise.ts';
import { MAX_ERRORS } from '../walk/validation-walk.ts';
import { UniquenessTest } from './quick/index.ts';

/** The text of a JSON value that is the same for equal values with any order of fields. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const names = sortBytewise(Object.keys(value));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(',')}}`;
}

/**
 * Positions of the items whose identity occurred once before, up to the number that is reported: the third of three equal items
 * is not.
 */
function* repeated(
  items: readonly unknown[],
  pace: Pace,
  identityOf: (item: unknown) => unknown = (item) => item,
): Work<readonly number[]> {
  const counts = new Map<string, number>();
  const found: number[] = [];
  for (const [i, item] of items.entries()) {
    if (pace.isDue()) yield;
    if (found.length >= MAX_ERRORS) break;
    const text = canonicalText(identityOf(item));
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count === 2) found.push(i);
  }
  return found;
}

const keysOf = (item: unknown, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) =>
      isJsonObject(item) && Object.hasOwn(item, name) ? [[name, item[name]] as const] : [],
    ),
  );

function* checkMapItems(
  items: readonly unknown[],
  names: readonly string[],
  { pace, path }: Pick<Place, 'pace' | 'path'>,
): Work<readonly FieldError[]> {
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    const why = 'must be an object for an array of list-type map';
    return [fieldError.invalid(`${path}[${wrong}]`, items[wrong], why)];
  }
  const found = yield* repeated(items, pace, (item) => keysOf(item, names));
  return found.map((i) => fieldError.duplicate(`${path}[${i}]`, keysOf(items[i], names)));
}

const isKeyed = ({ listType }: StructuralSchema): boolean => listType === 'set' || listType === 'map';

const none: readonly FieldError[] = [];

/** A value within an object, and the violations that are found. */
interface Place {
  readonly path: string;
  readonly errors: FieldError[];
  readonly pace: Pace;
}

/** Checks that the items of sets, and the keys of the items of lists of type map, are unique. */
export class ListRules {
  #test: { readonly schema: StructuralSchema; readonly test: UniquenessTest | undefined } | undefined;
  /** Whether there is anything to check below. */
  readonly #isKeyed = someStructure(isKeyed);

  /** The violations in a whole object or a part of it, at a path with `''` for the object itself. */
  check(value: unknown, schema: StructuralSchema, path = ''): readonly FieldError[] {
    if (this.#testOf(schema)?.holds(value) !== false) return none;
    return atOnce(this.#violations(value, schema, { path, errors: [], pace: new Pace() }));
  }

  /** Like `check`, of an object with many parts, in pieces. */
  *inPieces(value: unknown, schema: StructuralSchema, pace: Pace): Work<readonly FieldError[]> {
    const test = this.#testOf(schema);
    if (test === undefined || (yield* test.holding(value, pace))) return none;
    return yield* this.#violations(value, schema, { path: '', errors: [], pace });
  }

  #testOf(schema: StructuralSchema): UniquenessTest | undefined {
    if (this.#test?.schema !== schema) this.#test = { schema, test: UniquenessTest.of(schema) };
    return this.#test.test;
  }

  *#violations(value: unknown, schema: StructuralSchema, place: Place): Work<readonly FieldError[]> {
    yield* this.#visit(value, schema, place);
    return place.errors;
  }

  *#visit(value: unknown, schema: StructuralSchema, place: Place): Work<void> {
    const { errors, pace, path } = place;
    if (pace.isDue()) yield;
    if (errors.length >= MAX_ERRORS || !this.#isKeyed(schema)) return;
    if (Array.isArray(value)) {
      if (schema.listType === 'set') {
        const found = yield* repeated(value, pace);
        errors.push(...found.map((i) => fieldError.duplicate(`${path}[${i}]`, value[i])));
      }
      if (schema.listType === 'map')
        errors.push(...(yield* checkMapItems(value, schema.mapKeys ?? [], place)));
      const { items } = schema;
      if (items === undefined || !this.#isKeyed(items)) return;
      for (const [i, item] of value.entries())
        yield* this.#visit(item, items, { ...place, path: `${path}[${i}]` });
    } else if (isJsonObject(value)) {
      for (const name of Object.keys(value)) {
        const field = fieldSchema(schema, name);
        const isDeclared = schema.properties?.has(name) === true;
        const step = isDeclared ? `${path === '' ? '' : '.'}${name}` : `[${name}]`;
        if (field !== undefined) yield* this.#visit(value[name], field, { ...place, path: path + step });
      }
    }
  }
}

import { type FieldError, fieldError } from '@orch/machinery';
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
function repeated(identities: readonly unknown[]): readonly number[] {
  const counts = new Map<string, number>();
  const found: number[] = [];
  for (const [i, identity] of identities.entries()) {
    if (found.length >= MAX_ERRORS) break;
    const text = canonicalText(identity);
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

function checkMapItems(items: readonly unknown[], names: readonly string[], path: string): FieldError[] {
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    const why = 'must be an object for an array of list-type map';
    return [fieldError.invalid(`${path}[${wrong}]`, items[wrong], why)];
  }
  const keys = items.map((item) => keysOf(item, names));
  return repeated(keys).map((i) => fieldError.duplicate(`${path}[${i}]`, keys[i]));
}

const isKeyed = ({ listType }: StructuralSchema): boolean => listType === 'set' || listType === 'map';

const none: readonly FieldError[] = [];

/** Checks that the items of sets, and the keys of the items of lists of type map, are unique. */
export class ListRules {
  #test: { readonly schema: StructuralSchema; readonly test: UniquenessTest | undefined } | undefined;
  /** Whether there is anything to check below. */
  readonly #isKeyed = someStructure(isKeyed);

  /** The violations in a whole object or a part of it, at a path with `''` for the object itself. */
  check(value: unknown, schema: StructuralSchema, path = ''): readonly FieldError[] {
    if (this.#test?.schema !== schema) this.#test = { schema, test: UniquenessTest.of(schema) };
    if (this.#test.test?.holds(value) !== false) return none;
    const errors: FieldError[] = [];
    this.#visit(value, schema, { path, errors });
    return errors;
  }

  #visit(
    value: unknown,
    schema: StructuralSchema,
    at: { readonly path: string; readonly errors: FieldError[] },
  ): void {
    if (at.errors.length >= MAX_ERRORS || !this.#isKeyed(schema)) return;
    const { errors, path } = at;
    if (Array.isArray(value)) {
      if (schema.listType === 'set')
        errors.push(...repeated(value).map((i) => fieldError.duplicate(`${path}[${i}]`, value[i])));
      if (schema.listType === 'map') errors.push(...checkMapItems(value, schema.mapKeys ?? [], path));
      const { items } = schema;
      if (items === undefined) return;
      for (const [i, item] of value.entries()) this.#visit(item, items, { errors, path: `${path}[${i}]` });
    } else if (isJsonObject(value)) {
      for (const name of Object.keys(value)) {
        const field = fieldSchema(schema, name);
        const isDeclared = schema.properties?.has(name) === true;
        const step = isDeclared ? `${path === '' ? '' : '.'}${name}` : `[${name}]`;
        if (field !== undefined) this.#visit(value[name], field, { errors, path: path + step });
      }
    }
  }
}

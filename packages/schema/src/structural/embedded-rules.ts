import { type FieldError, fieldError, type Names, type ObjectMeta } from '@orch/machinery';
import { atOnce, Pace, type Work } from '@orch/machinery/concurrency';
import { validateFormat } from '@orch/machinery/formats';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import { validateObjectMeta } from '@orch/machinery/object-meta';
import { fieldSchema, type StructuralSchema, someStructure } from '../structural-schema.ts';

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function checkApiVersion(value: unknown, path: string): readonly FieldError[] {
  if (value === undefined) return [fieldError.required(path)];
  if (value === '') return [fieldError.invalid(path, value, 'must not be empty')];
  if (typeof value !== 'string' || value.split('/').length <= 2) return [];
  return [fieldError.invalid(path, value, `unexpected GroupVersion string: ${value}`)];
}

function checkKind(value: unknown, path: string): readonly FieldError[] {
  if (value === undefined) return [fieldError.required(path)];
  if (value === '') return [fieldError.invalid(path, value, 'must not be empty')];
  const wrong = typeof value === 'string' ? validateFormat('dns1035label', value.toLowerCase()) : undefined;
  const why = `may have mixed case, but should otherwise match: ${wrong}`;
  return wrong === undefined ? [] : [fieldError.invalid(path, value, why)];
}

/** An embedded object needs no name, and may be in a namespace or not. */
function checkMetadata(metadata: JsonObject, path: string, names: Names): readonly FieldError[] {
  const meta: ObjectMeta = { ...metadata, name: (metadata['name'] as string | undefined) || 'unnamed' };
  const namespaced = meta.namespace !== undefined && meta.namespace !== '';
  return validateObjectMeta(meta, {
    namespaced,
    nameFormat: 'pathSegment',
    unqualifiedFinalizers: true,
    names,
    path,
  });
}

/** Checks one embedded object at a field. */
type CheckObject = (object: JsonObject, path: string) => readonly FieldError[];

/** A value at a path. */
interface Placed {
  readonly value: unknown;
  readonly schema: StructuralSchema;
  readonly path: string;
}

/** What a check has found in embedded objects. */
class Found {
  readonly errors: FieldError[] = [];
  readonly pace: Pace;
  readonly #checkObject: CheckObject;

  constructor(checkObject: CheckObject, pace: Pace) {
    this.#checkObject = checkObject;
    this.pace = pace;
  }

  check(object: JsonObject, path: string): void {
    for (const error of this.#checkObject(object, path)) this.errors.push(error);
  }
}

/** Checks that embedded objects of the API have a type and valid metadata. */
export class EmbeddedRules {
  readonly #names: Names;
  readonly #isEmbedding = someStructure(({ isEmbeddedResource }) => isEmbeddedResource === true);

  constructor(names: Names) {
    this.#names = names;
  }

  check(value: unknown, schema: StructuralSchema, path = ''): readonly FieldError[] {
    return this.walk({ value, schema, path }, (object, at) => this.#checkObject(object, at));
  }

  /** Like `check`, in pieces. */
  inPieces(value: unknown, schema: StructuralSchema, pace: Pace): Work<readonly FieldError[]> {
    return this.#walk(
      { value, schema, path: '' },
      new Found((object, at) => this.#checkObject(object, at), pace),
    );
  }

  /** Reports what `checkObject` finds in every embedded object of a value, outer ones first. */
  walk(placed: Placed, checkObject: CheckObject): readonly FieldError[] {
    return this.#isEmbedding(placed.schema)
      ? atOnce(this.#walk(placed, new Found(checkObject, new Pace())))
      : [];
  }

  *#walk(placed: Placed, found: Found): Work<readonly FieldError[]> {
    yield* this.#visit(placed, found);
    return found.errors;
  }

  *#visit({ path, schema, value }: Placed, found: Found): Work<void> {
    if (found.pace.isDue()) yield;
    if (!this.#isEmbedding(schema)) return;
    if (Array.isArray(value)) {
      const { items } = schema;
      if (items === undefined || !this.#isEmbedding(items)) return;
      for (const [i, item] of value.entries())
        yield* this.#visit({ value: item, schema: items, path: `${path}[${i}]` }, found);
    } else if (isJsonObject(value)) {
      if (schema.isEmbeddedResource === true) found.check(value, path);
      for (const name of Object.keys(value)) {
        const field = fieldSchema(schema, name);
        const isDeclared = schema.properties?.has(name) === true;
        const step = isDeclared ? below(path, name) : `${path}[${name}]`;
        if (field !== undefined) yield* this.#visit({ value: value[name], schema: field, path: step }, found);
      }
    }
  }

  #checkObject(object: JsonObject, path: string): readonly FieldError[] {
    const { apiVersion, kind, metadata } = object;
    return [
      ...checkApiVersion(apiVersion, below(path, 'apiVersion')),
      ...checkKind(kind, below(path, 'kind')),
      ...(isJsonObject(metadata) ? checkMetadata(metadata, below(path, 'metadata'), this.#names) : []),
    ];
  }
}

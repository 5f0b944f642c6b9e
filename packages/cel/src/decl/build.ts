import type { CelType } from '../types/type.ts';
import type {
  DeclField,
  DeclType,
  DynDecl,
  ListDecl,
  MapDecl,
  ObjectDecl,
  OptionalDecl,
  ScalarDecl,
  TextDecl,
  ValueDecl,
} from './decl-type.ts';
import { escapeName, reservedWords } from './escape.ts';

/** The most bytes a request has: the bound of values without a declared limit. */
const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

const scalar = (kind: ScalarDecl['kind'], minSize: number): ScalarDecl => ({ kind, maxElements: 0, minSize });

export const boolDecl = scalar('bool', 4);
export const intDecl = scalar('int', 1);
export const doubleDecl = scalar('double', 1);
export const timestampDecl: TextDecl = { kind: 'timestamp', maxElements: 32, minSize: 21 };
export const dateDecl: TextDecl = { kind: 'date', maxElements: 12, minSize: 12 };
export const durationDecl: TextDecl = { kind: 'duration', maxElements: 32, minSize: 3 };

/** The limit of a schema; a negative one counts as 0. */
const limit = (max: number): number => Math.max(0, max);

/**
 * A string of at most `maxLength` code points, each of which may be four bytes; without a limit, of the longest text of
 * `values`, or of a whole request.
 */
export function stringDecl(maxLength?: number, values: readonly string[] = []): TextDecl {
  // Of more values than a call has arguments.
  const longest = values.reduce((most, each) => Math.max(most, Buffer.byteLength(each)), 0);
  const unlimited = values.length > 0 ? longest : MAX_REQUEST_BYTES - 2;
  return {
    kind: 'string',
    maxElements: maxLength === undefined ? unlimited : limit(maxLength) * 4,
    minSize: 2,
  };
}

export const bytesDecl = (maxLength?: number): TextDecl => ({
  kind: 'bytes',
  maxElements: maxLength === undefined ? MAX_REQUEST_BYTES - 2 : limit(maxLength),
  minSize: 2,
});

/** An int or a string, or any other JSON value that has no declaration. */
export const dynDecl = (maxLength?: number): DynDecl => ({
  kind: 'dyn',
  maxElements: maxLength === undefined ? MAX_REQUEST_BYTES - 2 : limit(maxLength) * 4,
  minSize: 1,
});

export const listDecl = (
  element: DeclType,
  maxItems?: number,
  list: ListDecl['list'] = { type: 'atomic' },
): ListDecl => ({
  kind: 'list',
  element,
  list,
  maxElements:
    maxItems === undefined ? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSize + 1)) : limit(maxItems),
  minSize: 2,
});

export const mapDecl = (value: DeclType, maxProperties?: number): MapDecl => ({
  kind: 'map',
  value,
  maxElements:
    maxProperties === undefined
      ? Math.floor((MAX_REQUEST_BYTES - 2) / (value.minSize + 6))
      : limit(maxProperties),
  minSize: 2,
});

/** A variable without a value is `optional.none()`. */
export const optionalDecl = (of: DeclType): OptionalDecl => ({
  kind: 'optional',
  of,
  maxElements: of.maxElements,
  minSize: of.minSize,
});

export const valueDecl = (type: CelType): ValueDecl => ({ kind: 'value', type, maxElements: 0, minSize: 1 });

export interface PropertyDecl {
  readonly type: DeclType;
  /** Required without a default: the field is in every value, which bounds the number of objects in a request. */
  readonly required?: boolean;
}

/**
 * An object with the given properties, by their names in JSON; expressions cannot use a property whose name cannot be
 * escaped. `name` identifies the type: it must be unique for each object of a schema, such as its path.
 */
export function objectDecl(name: string, properties: Readonly<Record<string, PropertyDecl>>): ObjectDecl {
  const fields = new Map<string, DeclField>();
  let minSize = 2;
  for (const [jsonName, { type, required = false }] of Object.entries(properties)) {
    addField(fields, { jsonName, type });
    if (required) minSize += Buffer.byteLength(jsonName) + type.minSize + 4;
  }
  return { kind: 'object', name, fields, maxElements: 0, minSize };
}

/**
 * An object whose properties are declared when an expression uses one: for large schemas, and those that refer to themselves.
 * Costs cannot be estimated with it.
 */
export function lazyObjectDecl(
  name: string,
  declare: () => Iterable<readonly [jsonName: string, type: () => DeclType]>,
): ObjectDecl {
  let fields: Map<string, DeclField> | undefined;
  const declared = (): Map<string, DeclField> => {
    const found = new Map<string, DeclField>();
    for (const [jsonName, type] of declare()) addField(found, lazyField(jsonName, type));
    return found;
  };
  return {
    kind: 'object',
    name,
    get fields() {
      fields ??= declared();
      return fields;
    },
    maxElements: 0,
    minSize: 2,
  };
}

const lazyField = (jsonName: string, type: () => DeclType): DeclField => ({
  jsonName,
  get type() {
    return type();
  },
});

function addField(fields: Map<string, DeclField>, field: DeclField): void {
  const { jsonName } = field;
  const escaped = escapeName(jsonName);
  if (escaped !== undefined) fields.set(escaped, field);
  // In a selection, a reserved word is also accepted without its escape.
  if (reservedWords.has(jsonName)) fields.set(jsonName, field);
}

/** The properties with those that every resource has: `apiVersion`, `kind` and the names in `metadata`. */
export function resourceProperties(
  name: string,
  properties: Readonly<Record<string, PropertyDecl>>,
): Record<string, PropertyDecl> {
  const text = { type: stringDecl() };
  const metadata = { type: objectDecl(`${name}.metadata`, { name: text, generateName: text }) };
  return { ...properties, apiVersion: text, kind: text, metadata };
}

import { isJsonObject } from '@orch/machinery/json';
import { type Field, resolveRef, type ScalarType, type Schema, type StructSchema } from '../schema.ts';

/** A place in objects of a kind at which a value has any number of parts. */
export interface RepeatingField {
  /** As in field paths, with `[]` for the items of a list and `{}` for the values of a map. */
  readonly path: string;
  readonly kind: 'list' | 'map' | 'free' | 'text';
  /** The struct that declares the field, and its name there: the same for all places that share a struct. */
  readonly declaration: string;
  /** A copy of the object in which the field has about that many bytes of JSON. */
  readonly fill: (base: object, bytes: number) => object;
}

interface Step {
  readonly name: string;
  readonly schema: StructSchema;
  readonly inside: 'list' | 'map' | undefined;
}

const MAX_STEPS = 12;

/**
 * Every field of a kind that repeats: lists, maps, values of any form, and text of any length. Each struct that is within
 * itself is followed once.
 */
export function repeatingFields(schema: StructSchema): readonly RepeatingField[] {
  const found: RepeatingField[] = [];
  visit(schema, [], [schema], found);
  return found;
}

function visit(
  owner: StructSchema,
  steps: readonly Step[],
  around: readonly StructSchema[],
  found: RepeatingField[],
): void {
  for (const field of fieldsOf(owner)) {
    const schema = resolveRef(field.schema);
    const add = (target: Schema): void => {
      const path = [...steps.map(stepText), field.name].join('.');
      const fill = (base: object, bytes: number): object =>
        filled({ owner, field, steps, target }, base, bytes);
      found.push({ path, kind: kindOf(target), declaration: `${owner.name}.${field.name}`, fill });
    };
    const inner = innerOf(schema);
    if (inner !== undefined && around.length < MAX_STEPS && !around.includes(inner.struct)) {
      const step = { name: field.name, schema: inner.struct, inside: inner.inside };
      visit(inner.struct, [...steps, step], [...around, inner.struct], found);
    }
    if (schema.kind === 'list' || schema.kind === 'map' || isLong(schema)) add(schema);
  }
}

const longScalars: ReadonlySet<ScalarType> = new Set([
  'string',
  'bytes',
  'object',
  'json',
  'quantity',
  'intOrString',
]);

function kindOf(schema: Schema): RepeatingField['kind'] {
  if (schema.kind === 'list' || schema.kind === 'map') return schema.kind;
  return schema.kind === 'scalar' && (schema.type === 'object' || schema.type === 'json') ? 'free' : 'text';
}

const isLong = (schema: Schema): boolean => schema.kind === 'scalar' && longScalars.has(schema.type);

const stepText = ({ name, inside }: Step): string =>
  inside === undefined ? name : `${name}${inside === 'list' ? '[]' : '{}'}`;

/** The fields of structs, which every item of a long list needs. */
const knownFields = new WeakMap<StructSchema, readonly Field[]>();

/** The fields of a struct in JSON: those of inlined structs belong to it. */
function fieldsOf(schema: StructSchema): readonly Field[] {
  const known = knownFields.get(schema);
  if (known !== undefined) return known;
  const fields = schema.fields.flatMap((field) => {
    const inner = resolveRef(field.schema);
    return field.inline === true && inner.kind === 'struct' ? fieldsOf(inner) : [field];
  });
  knownFields.set(schema, fields);
  return fields;
}

function innerOf(
  schema: Schema,
): { readonly struct: StructSchema; readonly inside: Step['inside'] } | undefined {
  if (schema.kind === 'struct') return { struct: schema, inside: undefined };
  if (schema.kind !== 'list' && schema.kind !== 'map') return undefined;
  const inner = resolveRef(schema.kind === 'list' ? schema.items : schema.values);
  return inner.kind === 'struct' ? { struct: inner, inside: schema.kind } : undefined;
}

interface Place {
  readonly owner: StructSchema;
  readonly field: Field;
  readonly steps: readonly Step[];
  readonly target: Schema;
}

type Part = Record<string, unknown>;

function filled(place: Place, base: object, bytes: number): object {
  const root = structuredClone(base) as Part;
  const at = place.steps.reduce((parent, step) => entered(parent, step), root);
  at[place.field.name] = contentsOf(place.target, {
    field: place.field,
    example: at[place.field.name],
    bytes,
  });
  return root;
}

/** The struct at a step, which is made where the object has none. */
function entered(parent: Part, { name, schema, inside }: Step): Part {
  const value = parent[name];
  const items = inside === 'list' ? value : isJsonObject(value) ? Object.values(value) : [];
  const present = inside === undefined ? value : Array.isArray(items) ? items[0] : undefined;
  if (isJsonObject(present)) return present;
  const made = small(schema, 0) as Part;
  parent[name] = inside === undefined ? made : inside === 'list' ? [made] : { a: made };
  return made;
}

interface Filling {
  readonly field: Field;
  readonly example: unknown;
  readonly bytes: number;
}

function contentsOf(schema: Schema, { field, example, bytes }: Filling): unknown {
  if (schema.kind === 'list') {
    const items = resolveRef(schema.items);
    const keys = [
      ...(schema.mapKeys ?? []),
      ...(schema.patchMergeKey === undefined ? [] : [schema.patchMergeKey]),
    ];
    if (field.uniqueBy !== undefined) keys.push(field.uniqueBy);
    const first = Array.isArray(example) ? example[0] : undefined;
    return repeated(bytes, (i) => [i, itemOf(items, { i, keys, example: first })]).map(([, item]) => item);
  }
  if (schema.kind === 'map') {
    const values = resolveRef(schema.values);
    const isQuantity = values.kind === 'scalar' && values.type === 'quantity';
    return Object.fromEntries(
      repeated(bytes, (i) => [isQuantity ? `example.com/r${i}` : `key-${i}`, small(values, i)]),
    );
  }
  return longScalar(schema, bytes);
}

function longScalar(schema: Schema, bytes: number): unknown {
  const type = schema.kind === 'scalar' ? schema.type : 'string';
  if (type === 'object' || type === 'json')
    return Object.fromEntries(repeated(bytes, (i) => [`key-${i}`, `${i}`]));
  return (type === 'quantity' ? '1' : 'a').repeat((bytes >> 2) << 2);
}

/** Entries until they have that many bytes of JSON. */
function repeated<K extends PropertyKey>(bytes: number, entry: (i: number) => [K, unknown]): [K, unknown][] {
  const all: [K, unknown][] = [];
  for (let i = 0, size = 0; size < bytes; i++) {
    const made = entry(i);
    all.push(made);
    size += JSON.stringify(made[1]).length + 1 + (typeof made[0] === 'string' ? made[0].length + 3 : 0);
  }
  return all;
}

interface Item {
  readonly i: number;
  readonly keys: readonly string[];
  readonly example: unknown;
}

/** An item that differs from the others in its keys. */
function itemOf(schema: Schema, { i, keys, example }: Item): unknown {
  if (schema.kind !== 'struct')
    return keys.includes('') || schema.kind === 'scalar' ? small(schema, i) : small(schema, 0);
  const item = small(schema, i) as Part;
  if (isJsonObject(example)) for (const name of Object.keys(item)) item[name] = example[name] ?? item[name];
  for (const field of fieldsOf(schema)) {
    const inner = resolveRef(field.schema);
    if (keys.includes(field.name) && inner.kind === 'scalar')
      item[field.name] = scalarOf(inner.type, field, i);
  }
  return item;
}

/** A value with what its schema requires, at least one field of a struct where it has scalars. */
function small(schema: Schema, i: number, depth = 0): unknown {
  switch (schema.kind) {
    case 'scalar':
      return scalarOf(schema.type, {}, i);
    case 'list':
      return depth > 4 ? [] : [small(resolveRef(schema.items), i, depth + 1)];
    case 'map':
      return {};
    case 'union':
      return true;
    case 'struct': {
      const fields = fieldsOf(schema);
      const needed = fields.filter(({ required, presence }) => required === true || presence === 'always');
      const scalar = fields.find((field) => resolveRef(field.schema).kind === 'scalar');
      const chosen = needed.length > 0 || scalar === undefined ? needed : [scalar];
      return Object.fromEntries(
        (depth > 4 ? [] : chosen).map((field): [string, unknown] => {
          const inner = resolveRef(field.schema);
          return [
            field.name,
            inner.kind === 'scalar' ? scalarOf(inner.type, field, i) : small(inner, i, depth + 1),
          ];
        }),
      );
    }
  }
}

function scalarOf(type: ScalarType, field: Pick<Field, 'enum' | 'format' | 'min'>, i: number): unknown {
  const listed = field.enum?.find((value) => value !== '');
  if (listed !== undefined) return listed;
  switch (type) {
    case 'bool':
      return true;
    case 'int32':
    case 'int64':
      return Math.max(field.min ?? 1, 1 + (i % 65_535));
    case 'float64':
      return i;
    case 'bytes':
      return 'YQ==';
    case 'quantity':
      return '1';
    case 'time':
      return '2024-01-01T00:00:00Z';
    case 'microTime':
      return '2024-01-01T00:00:00.000001Z';
    case 'duration':
      return '1s';
    case 'object':
    case 'json':
      return {};
    case 'string':
    case 'intOrString':
      return field.format === 'ip' ? `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}` : `n${i}`;
  }
}

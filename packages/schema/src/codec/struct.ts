import type { Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import {
  hasManyParts,
  isExactNumber,
  type JsonObject,
  type MutableJsonObject,
  setField,
} from '@orch/machinery/json';
import { type ComputeDefault, type Derive, type Field, resolveRef, type Schema } from '../schema.ts';
import { type FieldsReader, structuralReader } from '../structural/index.ts';
import { DecodeContext, MAX_DEPTH } from '../walk/decode-context.ts';
import type { Read, Reader, ReadInPieces } from '../walk/reader.ts';
import { type Assemble, compileAssemble } from './assemble.ts';
import type { StructField, StructShape } from './struct-shape.ts';

/** A field, ready to be read. */
interface FieldPlan {
  readonly name: string;
  readonly segment: string;
  /** A string field that is dropped when empty: most fields are, so they are read without a call. */
  readonly plainString: boolean;
  /** The value when it counts as present, undefined when it is absent or dropped. */
  readonly read: Read;
  readonly inPieces: ReadInPieces | undefined;
  /** Written when nothing else is; undefined for fields that are then omitted. */
  readonly absent: ((context: DecodeContext) => unknown) | undefined;
  readonly fixedDefault: unknown;
  /** Bytes that the default adds, roughly. */
  readonly defaultBytes: number;
  readonly computedDefault: ComputeDefault | undefined;
}

function isEmptyObject(value: object): boolean {
  for (const _name in value) return false;
  return true;
}

/** Wraps a reader so that an empty struct comes out as undefined, like an absent one. */
const dropEmpty =
  ({ read }: Reader): Read =>
  (value, context) => {
    const struct = read(value, context);
    return typeof struct === 'object' && struct !== null && isEmptyObject(struct) ? undefined : struct;
  };

/** Wraps a reader so that values which the presence rule drops come out as undefined, like absent ones. */
function dropZero(schema: Schema, { read }: Reader): Read {
  switch (schema.kind) {
    case 'scalar':
      return (value, context) => read(value, context) || undefined;
    case 'list':
      return (value, context) => {
        const list = read(value, context) as readonly unknown[] | undefined;
        return list === undefined || list.length === 0 ? undefined : list;
      };
    case 'map':
      return (value, context) => {
        const map = read(value, context) as object | undefined;
        return map === undefined || isEmptyObject(map) ? undefined : map;
      };
    case 'struct':
    case 'union':
      return read;
  }
}

/** Reports whether the zero value counts as present. */
function keepsZero(field: Field, schema: Schema): boolean {
  if (field.presence === 'pointer') return true;
  if (field.presence === 'always' && field.nullable === true) return true;
  // `false` and 0 are as good as any other JSON value.
  return schema.kind === 'scalar' && schema.type === 'json';
}

function readerOfField(field: Field, reader: Reader, dropsEmpty: boolean): Read {
  const schema = resolveRef(field.schema);
  if (keepsZero(field, schema)) return reader.read;
  return dropsEmpty && schema.kind === 'struct' ? dropEmpty(reader) : dropZero(schema, reader);
}

function planField(
  { name, field, dropsEmpty }: StructField,
  readerOf: (schema: Schema) => Reader,
): FieldPlan {
  const schema = resolveRef(field.schema);
  const reader = readerOf(schema);
  const absent = field.nullable === true ? () => null : reader.zero;
  const fixedDefault = typeof field.default === 'function' ? undefined : field.default;
  return {
    name,
    segment: `.${name}`,
    plainString: schema.kind === 'scalar' && schema.type === 'string' && !keepsZero(field, schema),
    read: readerOfField(field, reader, dropsEmpty === true),
    inPieces: reader.inPieces,
    absent: field.presence === 'always' ? absent : undefined,
    fixedDefault,
    defaultBytes: name.length + 4 + (JSON.stringify(fixedDefault)?.length ?? 0),
    computedDefault: typeof field.default === 'function' ? (field.default as ComputeDefault) : undefined,
  };
}

/** Bytes of a computed default, roughly: most are short strings and numbers. */
const sizeOf = (value: unknown): number =>
  typeof value === 'object' ? JSON.stringify(value).length : String(value).length;

/** Fills empty slots with defaults: fixed ones first, then those computed from the struct, in declaration order. */
function fillDefaults(
  { assemble, fields, since }: Plan,
  slots: unknown[],
  context: DecodeContext,
  names: Names,
): void {
  let computed = false;
  for (let i = 0; i < fields.length; i++) {
    if (slots[i] !== undefined) continue;
    const { fixedDefault, computedDefault, defaultBytes, read } = fields[i] as FieldPlan;
    if (computedDefault !== undefined) computed = true;
    else if (fixedDefault !== undefined && context.grow(defaultBytes))
      slots[i] = read(fixedDefault, context) ?? undefined;
  }
  if (!computed) return;
  const view: MutableJsonObject = assemble(slots, context);
  const computing = { root: context.root, since };
  for (let i = 0; i < fields.length; i++) {
    const { name, computedDefault, defaultBytes, read } = fields[i] as FieldPlan;
    if (slots[i] !== undefined || computedDefault === undefined) continue;
    const value = computedDefault(view, names, computing);
    if (value === undefined || value === null) continue;
    if (!context.grow(defaultBytes + sizeOf(value))) continue;
    slots[i] = view[name] = read(value, context) ?? undefined;
  }
}

/** Everything a struct reader needs, made on first use so that declarations may refer to each other. */
interface Plan {
  readonly fields: readonly FieldPlan[];
  readonly assemble: Assemble;
  readonly index: ReadonlyMap<string, number>;
  readonly hasDefaults: boolean;
  readonly derives: readonly Derive[];
  readonly since: StructShape['since'];
  /** Reads the fields that are not declared; without it they are dropped. */
  readonly rest: FieldsReader | undefined;
}

/** The reader of fields that follow a structural schema. Metadata within them is read as that of the object itself. */
function restReader({ fields, rest }: StructShape, readerOf: (schema: Schema) => Reader): Plan['rest'] {
  if (rest === undefined) return undefined;
  const metadata = fields.find(({ name }) => name === 'metadata');
  if (metadata === undefined) throw new TypeError('a kind with a structural schema has no metadata');
  return structuralReader(rest, readerOf(resolveRef(metadata.field.schema)).read);
}

function planOf(shape: StructShape, readerOf: (schema: Schema) => Reader): Plan {
  const fields = shape.fields.map((structField) => planField(structField, readerOf));
  return {
    fields,
    assemble: compileAssemble(fields),
    index: new Map(fields.map(({ name }, i) => [name, i])),
    hasDefaults: fields.some((m) => m.fixedDefault !== undefined || m.computedDefault !== undefined),
    derives: shape.derives,
    since: shape.since,
    rest: restReader(shape, readerOf),
  };
}

/** Fields of the input that are not declared, where they follow a separate schema. */
function restOf({ index }: Plan, input: JsonObject): JsonObject {
  const rest: MutableJsonObject = {};
  for (const name of Object.keys(input)) if (!index.has(name)) setField(rest, name, input[name]);
  return rest;
}

/** Reads the fields that the schema declares, in the order of the input. */
function readFields(plan: Plan, input: JsonObject, context: DecodeContext): unknown[] {
  const { fields, index } = plan;
  const slots: unknown[] = new Array(fields.length);
  for (const name in input) {
    const i = index.get(name);
    if (i === undefined) {
      if (context.reportUnknown && plan.rest === undefined) context.unknown(`.${name}`);
      continue;
    }
    const raw = input[name];
    if (raw === null || raw === undefined) continue;
    const fieldPlan = fields[i] as FieldPlan;
    if (fieldPlan.plainString && typeof raw === 'string') {
      if (raw !== '') slots[i] = raw;
      continue;
    }
    const seen = context.count;
    const value = fieldPlan.read(raw, context);
    if (context.count !== seen) context.within(seen, fieldPlan.segment);
    if (value !== null) slots[i] = value;
  }
  return slots;
}

/** Like `readFields`, in pieces: the fields between those with many parts together. */
function* readFieldsInPieces(plan: Plan, input: JsonObject, context: DecodeContext): Work<unknown[]> {
  const { fields, index } = plan;
  const slots: unknown[] = new Array(fields.length);
  let small: MutableJsonObject = {};
  const readSmall = (): void => {
    for (const [i, value] of readFields(plan, small, context).entries())
      if (value !== undefined) slots[i] = value;
    small = {};
  };
  for (const name in input) {
    if (context.pace.isDue()) yield;
    const raw = input[name];
    const i = index.get(name);
    const { inPieces, segment } = (i === undefined ? undefined : fields[i]) ?? {};
    if (i === undefined || inPieces === undefined || !hasManyParts(raw)) {
      setField(small, name, raw);
      continue;
    }
    readSmall();
    const seen = context.count;
    const value = yield* inPieces(raw, context);
    if (context.count !== seen) context.within(seen, segment ?? '');
    if (value !== null) slots[i] = value;
  }
  readSmall();
  return slots;
}

/** Adds the fields that are not declared. */
function addRest(struct: MutableJsonObject, rest: JsonObject): void {
  for (const name of Object.keys(rest)) setField(struct, name, rest[name]);
}

/** Reads a struct: known fields in declaration order, with presence rules and, when requested, defaults applied. */
export function structReader(
  shape: () => StructShape,
  readerOf: (schema: Schema) => Reader,
  names: Names,
): Reader {
  let plan: Plan | undefined;

  const canonical = (changed: MutableJsonObject): MutableJsonObject =>
    read(changed, new DecodeContext()) as MutableJsonObject;

  /** Whether the value is an object whose fields may be read; reports another one. */
  const isReadable = (value: unknown, context: DecodeContext): value is MutableJsonObject => {
    if (typeof value !== 'object' || Array.isArray(value) || isExactNumber(value)) {
      context.wrongType('an object', value);
      return false;
    }
    if (context.depth < MAX_DEPTH) return true;
    context.tooDeep();
    return false;
  };

  /** The struct of its fields, with defaults where they are applied. */
  const structOf = (plan: Plan, slots: unknown[], context: DecodeContext): MutableJsonObject => {
    if (context.defaults && !context.isMistyped && plan.hasDefaults)
      fillDefaults(plan, slots, context, names);
    return plan.assemble(slots, context);
  };

  const derived = (plan: Plan, read: MutableJsonObject, context: DecodeContext): MutableJsonObject => {
    let struct = read;
    const { derives, since } = plan;
    if (derives.length === 0 || !context.defaults || context.isMistyped) return struct;
    const deriving = { root: context.root, since };
    for (const derive of derives) if (derive(struct, names, deriving)) struct = canonical(struct);
    return struct;
  };

  const read: Read = (value, context) => {
    if (!isReadable(value, context)) return undefined;
    plan ??= planOf(shape(), readerOf);
    context.depth++;
    const struct = structOf(plan, readFields(plan, value, context), context);
    if (plan.rest !== undefined) addRest(struct, plan.rest.read(restOf(plan, value), context));
    context.depth--;
    return derived(plan, struct, context);
  };

  function* inPieces(value: unknown, context: DecodeContext): Work<unknown> {
    if (!isReadable(value, context)) return undefined;
    plan ??= planOf(shape(), readerOf);
    context.depth++;
    const struct = structOf(plan, yield* readFieldsInPieces(plan, value, context), context);
    if (plan.rest !== undefined) {
      yield;
      addRest(struct, yield* plan.rest.inPieces(restOf(plan, value), context));
    }
    context.depth--;
    return derived(plan, struct, context);
  }

  return { read, inPieces, zero: (context) => read({}, context) };
}

import { CompactJson, MAX_JSON_DEPTH } from '@orch/machinery/json';
import { memoised, type Projection } from '../projection.ts';
import {
  type Field,
  resolveRef,
  type ScalarType,
  type Schema,
  type SchemaRef,
  type StructSchema,
  type UnionSchema,
} from '../schema.ts';
import { DecodeContext } from '../walk/decode-context.ts';
import type { Reader } from '../walk/reader.ts';
import { resourceQuantityReader, scalarReader } from './scalars.ts';
import type { StructShape } from './struct-shape.ts';

/**
 * Moves over a value of the type of a schema. False where the value may be of another type, and for some that are not: those
 * in another form than the one in which objects are stored.
 */
type Fits = (json: CompactJson, depth: number) => boolean;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Every number with this number of characters is in the range of its type. */
const INT32_CHARACTERS = 9;
const INT64_CHARACTERS = 15;

const isString: Fits = (json) => json.string();
const isInt32: Fits = (json) => json.integer(INT32_CHARACTERS);
const isAny: Fits = (json) => json.value();

const isBool: Fits = (json) => {
  const first = json.peek();
  return (first === LOWER_T || first === LOWER_F) && json.word();
};

/** Text that the reader takes. */
function isTextOf({ read }: Reader): Fits {
  let context = new DecodeContext();
  return (json) => {
    if (!json.string()) return false;
    read(json.text(), context);
    if (context.count === 0) return true;
    context = new DecodeContext();
    return false;
  };
}

const scalars: Readonly<Record<ScalarType, Fits>> = {
  string: isString,
  bool: isBool,
  int32: isInt32,
  int64: (json) => json.integer(INT64_CHARACTERS),
  float64: (json) => json.integer(INT64_CHARACTERS),
  bytes: isTextOf(scalarReader('bytes')),
  quantity: isTextOf(scalarReader('quantity')),
  intOrString: (json, depth) => (json.peek() === QUOTE ? json.string() : isInt32(json, depth)),
  time: isTextOf(scalarReader('time')),
  microTime: isTextOf(scalarReader('microTime')),
  duration: isTextOf(scalarReader('duration')),
  object: (json) => json.peek() === OPEN_BRACE && json.value(),
  json: isAny,
};

const isResourceQuantity = isTextOf(resourceQuantityReader);

/** Also `null`, which is written for lists, maps and times without a value. */
const orNull =
  (fits: Fits): Fits =>
  (json, depth) =>
    json.peek() === LOWER_N ? json.word() : fits(json, depth);

function isListOf(itemOf: () => Fits): Fits {
  let item: Fits | undefined;
  return (json, depth) => {
    if (!json.accept(OPEN_BRACKET) || depth > MAX_JSON_DEPTH) return false;
    if (json.accept(CLOSE_BRACKET)) return true;
    item ??= itemOf();
    do if (!item(json, depth + 1)) return false;
    while (json.accept(COMMA));
    return json.accept(CLOSE_BRACKET);
  };
}

function isMapOf(mapValue: () => Fits): Fits {
  let value: Fits | undefined;
  return (json, depth) => {
    if (!json.accept(OPEN_BRACE) || depth > MAX_JSON_DEPTH) return false;
    if (json.accept(CLOSE_BRACE)) return true;
    value ??= mapValue();
    do if (!json.name() || !value(json, depth + 1)) return false;
    while (json.accept(COMMA));
    return json.accept(CLOSE_BRACE);
  };
}

interface FieldFits {
  readonly name: Buffer;
  readonly fits: Fits;
}

/** Fields in the order of the declaration, in which objects are stored. */
function isStructOf(fieldsOf: () => readonly FieldFits[]): Fits {
  let fields: readonly FieldFits[] | undefined;
  return (json, depth) => {
    if (!json.accept(OPEN_BRACE) || depth > MAX_JSON_DEPTH) return false;
    if (json.accept(CLOSE_BRACE)) return true;
    fields ??= fieldsOf();
    let next = 0;
    do {
      if (!json.name()) return false;
      let field = fields[next++];
      while (field !== undefined && !json.is(field.name)) field = fields[next++];
      if (field === undefined || !field.fits(json, depth + 1)) return false;
    } while (json.accept(COMMA));
    return json.accept(CLOSE_BRACE);
  };
}

function isUnionOf({ object, list, bool }: UnionSchema, fitsOf: (ref: SchemaRef) => Fits): Fits {
  const { schema: objects } = object ?? {};
  const { schema: items } = list ?? {};
  const isList = items === undefined ? undefined : isListOf(() => fitsOf(items));
  return (json, depth) => {
    const first = json.peek();
    if (first === OPEN_BRACE) return objects !== undefined && fitsOf(objects)(json, depth);
    if (first === OPEN_BRACKET) return isList?.(json, depth) === true;
    return bool !== undefined && isBool(json, depth);
  };
}

/** Reports whether a field without a value is written as `null`. */
function canBeNull({ presence, nullable, schema: ref }: Field): boolean {
  if (presence !== 'always') return false;
  const schema = resolveRef(ref);
  const isTime = schema.kind === 'scalar' && (schema.type === 'time' || schema.type === 'microTime');
  return nullable === true || isTime || schema.kind === 'list' || schema.kind === 'map';
}

/** Empty lists and maps within lists and maps are written as `null`. */
const canBeNullItem = ({ kind }: Schema): boolean => kind === 'list' || kind === 'map' || kind === 'union';

/** Reports whether UTF-8 bytes are an object of a schema, as it is stored; false also for some that can be decoded. */
export type FitsSchema = (bytes: Buffer, schema: StructSchema) => boolean;

/** Each schema is compiled when the first bytes are compared with it. */
export function fitsCompiler(shapeOf: (schema: StructSchema) => StructShape): FitsSchema {
  const fitsOf = (ref: SchemaRef): Fits => fitsOfSchema(resolveRef(ref));
  const itemOf = (ref: SchemaRef): Fits => {
    const schema = resolveRef(ref);
    return canBeNullItem(schema) ? orNull(fitsOfSchema(schema)) : fitsOfSchema(schema);
  };
  const mapValue = (ref: SchemaRef): Fits => {
    const schema = resolveRef(ref);
    return schema.kind === 'scalar' && schema.type === 'quantity' ? isResourceQuantity : itemOf(schema);
  };
  const build = (schema: Schema): Fits => {
    switch (schema.kind) {
      case 'scalar':
        return scalars[schema.type];
      case 'list':
        return isListOf(() => itemOf(schema.items));
      case 'map':
        return isMapOf(() => mapValue(schema.values));
      case 'struct':
        return isStructOf(() =>
          shapeOf(schema).fields.map(({ name, field }) => ({
            name: Buffer.from(name),
            fits: canBeNull(field) ? orNull(fitsOf(field.schema)) : fitsOf(field.schema),
          })),
        );
      case 'union':
        return isUnionOf(schema, fitsOf);
    }
  };
  const projection: Projection<Fits> = { name: 'fits', build };
  const fitsOfSchema = memoised(projection);
  return (bytes, schema) => {
    const json = new CompactJson(bytes);
    return json.peek() === OPEN_BRACE && fitsOfSchema(schema)(json, 0) && json.isAtEnd;
  };
}

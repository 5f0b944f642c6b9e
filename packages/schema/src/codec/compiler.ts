import { isUtf8 } from 'node:buffer';
import type { ApiObject, Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { encodeJson, hasManyParts, isExactNumber, isJsonObject, parseJson } from '@orch/machinery/json';
import type { Codec, CodecCompiler, CodecOptions, Decoded, DecodeOptions } from '../codec.ts';
import { memoised } from '../projection.ts';
import { reaches } from '../release-rules.ts';
import { resolveRef, type Schema, type StructSchema } from '../schema.ts';
import { DecodeContext } from '../walk/decode-context.ts';
import type { Reader } from '../walk/reader.ts';
import { listReader, mapReader } from './collections.ts';
import { resourceQuantityReader, scalarReader } from './scalars.ts';
import { fitsCompiler } from './stored-types.ts';
import { structReader } from './struct.ts';
import { type StructShape, shapeOf } from './struct-shape.ts';
import { unionReader } from './union.ts';
import { validatorCompiler } from './validate.ts';

type Readers = (schema: Schema) => Reader;

/** Readers by schema. Fields are compiled on first use, so that schemas may refer to each other. */
function readerCompiler(shapeOfStruct: (schema: StructSchema) => StructShape, names: Names): Readers {
  const build = (schema: Schema): Reader => {
    switch (schema.kind) {
      case 'scalar':
        return scalarReader(schema.type);
      case 'list':
        return listReader(() => readerOf(resolveRef(schema.items)));
      case 'map':
        return mapReader(() => valueReader(resolveRef(schema.values)));
      case 'struct':
        return structReader(() => shapeOfStruct(schema), readerOf, names);
      case 'union':
        return unionReader(schema, readerOf);
    }
  };
  const readerOf = memoised<Reader>({ name: 'reader', build });
  // The only maps of quantities are resource lists, which have a separate precision.
  const valueReader = (schema: Schema): Reader =>
    schema.kind === 'scalar' && schema.type === 'quantity' ? resourceQuantityReader : readerOf(schema);
  return readerOf;
}

/** Replaces the fields of `target` by those of `source`, in the order of `source`. */
function overwrite(target: Record<string, unknown>, source: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(source);
  const before = Object.keys(target);
  // An added field must be at its place in declaration order, so all fields are inserted again.
  if (before.length !== names.length || names.some((name, i) => name !== before[i])) {
    for (const name of before) delete target[name];
  }
  for (const name of names) target[name] = source[name];
}

function decodeWith(reader: Reader, input: unknown, context: DecodeContext): Decoded {
  let decoded: unknown;
  if (input === null || input === undefined) context.wrongType('an object', null);
  else decoded = reader.read(input, context);
  return decodedAs(reader, decoded, context);
}

/** Like `decodeWith`, in pieces. */
function* decodeInPieces(reader: Reader, input: unknown, context: DecodeContext): Work<Decoded> {
  if (reader.inPieces === undefined || !hasManyParts(input)) return decodeWith(reader, input, context);
  return decodedAs(reader, yield* reader.inPieces(input, context), context);
}

function decodedAs(reader: Reader, decoded: unknown, context: DecodeContext): Decoded {
  const value = (decoded ?? reader.zero(new DecodeContext())) as ApiObject;
  return { value, problems: context.problems() };
}

/** Puts in kind and apiVersion where an object has none; fields that it has stay as they are. */
function withTypeMeta(value: ApiObject, typeMeta: DecodeOptions['typeMeta']): ApiObject {
  if (typeMeta === undefined || (value.kind !== undefined && value.apiVersion !== undefined)) return value;
  return { kind: typeMeta.kind, apiVersion: typeMeta.apiVersion, ...value };
}

/**
 * A compiler of codecs for one naming and one emulated release. Structs that several kinds share are compiled once, so
 * use one compiler per process and naming.
 */
export function codecCompiler(names: Names, options: CodecOptions = {}): CodecCompiler {
  const shapeOfStruct = memoised<StructShape, StructSchema>({
    name: 'shape',
    build: (schema) => shapeOf(schema, names, options),
  });
  const since = reaches(options);
  const readerOf = readerCompiler(shapeOfStruct, names);
  const fits = fitsCompiler(shapeOfStruct);
  const validatorOf = validatorCompiler(shapeOfStruct, { names, since });
  const build = (schema: StructSchema): Codec => {
    const reader = readerOf(schema);
    return {
      since,
      decode(input, decodeOptions = {}) {
        const { value, problems } = decodeWith(reader, input, new DecodeContext(decodeOptions, schema));
        return { value: withTypeMeta(value, decodeOptions.typeMeta), problems };
      },
      *decodeInPieces(input, decodeOptions = {}) {
        const context = new DecodeContext(decodeOptions, schema);
        const { value, problems } = yield* decodeInPieces(reader, input, context);
        return { value: withTypeMeta(value, decodeOptions.typeMeta), problems };
      },
      check(bytes) {
        if (isUtf8(bytes) && fits(bytes, schema)) return bytes;
        const stored = parseJson(bytes);
        const { value, problems } = decodeWith(reader, stored, new DecodeContext({}, schema));
        const wrong = problems.find(({ kind }) => kind === 'type');
        if (wrong !== undefined) throw new TypeError(`the stored value does not fit: ${wrong.message}`);
        if (!bytes.includes('null')) return bytes;
        const json = encodeJson(withoutForeignNulls(stored, value));
        return json.equals(encodeJson(stored)) ? bytes : json;
      },
      applyDefaults(value) {
        const context = new DecodeContext({ defaults: true }, schema);
        overwrite(value, decodeWith(reader, value, context).value);
      },
      validate: validatorOf(schema),
    };
  };
  return { names, compile: memoised<Codec, StructSchema>({ name: 'codec', build }) };
}

/** The codec of one schema. Prefer one `codecCompiler` where several kinds are compiled. */
export const compileCodec = (schema: StructSchema, names: Names, options: CodecOptions = {}): Codec =>
  codecCompiler(names, options).compile(schema);

/**
 * The stored value with `null` only where decoding results in `null`: other nulls, which only other programs store, are replaced
 * by the decoded values, and left out where those are absent. Fields that the schema does not have are kept.
 */
function withoutForeignNulls(stored: unknown, decoded: unknown): unknown {
  if (stored === null) return decoded;
  if (Array.isArray(stored)) {
    if (!Array.isArray(decoded)) return stored;
    return stored.map((item, index) => withoutForeignNulls(item, decoded[index]));
  }
  if (!isJsonObject(stored) || !isJsonObject(decoded) || isExactNumber(stored)) return stored;
  return Object.fromEntries(
    Object.entries(stored)
      .map(([name, value]) => [name, withoutForeignNulls(value, decoded[name])] as const)
      .filter(([, value]) => value !== undefined),
  );
}

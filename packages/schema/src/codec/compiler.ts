import type { ApiObject, Names } from '@orch/machinery';
import type { Codec, CodecCompiler, CodecOptions, Decoded, DecodeOptions } from '../codec.ts';
import { resolveRef, type Schema, type StructSchema } from '../schema.ts';
import { listReader, mapReader } from './collections.ts';
import { DecodeContext } from './context.ts';
import { type StructShape, shapeOf } from './members.ts';
import { type Reader, resourceQuantityReader, scalarReader } from './scalars.ts';
import { structReader } from './struct.ts';
import { validatorCompiler } from './validate.ts';

type Readers = (schema: Schema) => Reader;

/** Readers by schema: compiled once, on first use, so that schemas may refer to each other. */
function readerCompiler(shapeFor: (schema: StructSchema) => StructShape, names: Names): Readers {
  const known = new WeakMap<Schema, Reader>();
  const compile = (schema: Schema): Reader => {
    switch (schema.kind) {
      case 'scalar':
        return scalarReader(schema.type);
      case 'list':
        return listReader(() => readerOf(resolveRef(schema.items)));
      case 'map':
        return mapReader(() => valueReader(resolveRef(schema.values)));
      case 'struct':
        return structReader(() => shapeFor(schema), readerOf, names);
    }
  };
  // The only maps of quantities are resource lists, which have a precision of their own.
  const valueReader = (schema: Schema): Reader =>
    schema.kind === 'scalar' && schema.type === 'quantity' ? resourceQuantityReader : readerOf(schema);
  const readerOf = (schema: Schema): Reader => {
    let reader = known.get(schema);
    if (reader === undefined) {
      reader = compile(schema);
      known.set(schema, reader);
    }
    return reader;
  };
  return readerOf;
}

/** Replaces the members of `target` by those of `source`, in the order of `source`. */
function overwrite(target: Record<string, unknown>, source: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(source);
  const before = Object.keys(target);
  // A member that was added has to stand at its place, so everything is put in anew.
  if (before.length !== names.length || names.some((name, i) => name !== before[i])) {
    for (const name of before) delete target[name];
  }
  for (const name of names) target[name] = source[name];
}

function decodeWith(reader: Reader, input: unknown, context: DecodeContext): Decoded {
  let decoded: unknown;
  if (input === null || input === undefined) context.wrongType('an object', null);
  else decoded = reader.read(input, context);
  const value = (decoded ?? reader.zero(new DecodeContext())) as ApiObject;
  return { value, problems: context.problems() };
}

/** Puts in kind and apiVersion where an object has none; members that it has stay as they are. */
function withTypeMeta(value: ApiObject, typeMeta: DecodeOptions['typeMeta']): ApiObject {
  if (typeMeta === undefined || (value.kind !== undefined && value.apiVersion !== undefined)) return value;
  return { kind: typeMeta.kind, apiVersion: typeMeta.apiVersion, ...value };
}

/**
 * A compiler of codecs for one naming and one emulated release. Structs that several kinds share are compiled once, so
 * use one compiler per process and naming.
 */
export function codecCompiler(names: Names, options: CodecOptions = {}): CodecCompiler {
  const shapes = new WeakMap<StructSchema, StructShape>();
  const shapeFor = (schema: StructSchema): StructShape => {
    let shape = shapes.get(schema);
    if (shape === undefined) {
      shape = shapeOf(schema, names, options);
      shapes.set(schema, shape);
    }
    return shape;
  };
  const readerOf = readerCompiler(shapeFor, names);
  const validatorOf = validatorCompiler(shapeFor, names);
  const codecs = new WeakMap<StructSchema, Codec>();
  const build = (schema: StructSchema): Codec => {
    const reader = readerOf(schema);
    const validate = validatorOf(schema);
    return {
      decode(input, decodeOptions = {}) {
        const { value, problems } = decodeWith(reader, input, new DecodeContext(decodeOptions, schema.name));
        return { value: withTypeMeta(value, decodeOptions.typeMeta), problems };
      },
      applyDefaults(value) {
        const context = new DecodeContext({ defaults: true }, schema.name);
        overwrite(value, decodeWith(reader, value, context).value);
      },
      validate,
    };
  };
  return {
    names,
    compile(schema) {
      let codec = codecs.get(schema);
      if (codec === undefined) {
        codec = build(schema);
        codecs.set(schema, codec);
      }
      return codec;
    },
  };
}

/** The codec of one schema. Prefer one `codecCompiler` where several kinds are compiled. */
export const compileCodec = (schema: StructSchema, names: Names, options: CodecOptions = {}): Codec =>
  codecCompiler(names, options).compile(schema);

import {
  boolDecl,
  type DeclType,
  doubleDecl,
  dynDecl,
  intDecl,
  lazyObjectDecl,
  listDecl,
  mapDecl,
  stringDecl,
} from '@orch/cel';
import type { Names } from '@orch/machinery';
import { type StructShape, shapeOf } from '../codec/struct-shape.ts';
import type { CodecOptions } from '../codec.ts';
import { resolveRef, type ScalarType, type Schema, type StructSchema } from '../schema.ts';
import { structuralDecl, structuralFields } from './structural-decl.ts';

const dyn = dynDecl();
const text = stringDecl();

/** Expressions of policies read objects as JSON: times, durations, bytes and quantities are strings there. */
const scalars: Readonly<Record<ScalarType, DeclType>> = {
  string: text,
  bool: boolDecl,
  int32: intDecl,
  int64: intDecl,
  float64: doubleDecl,
  bytes: text,
  quantity: text,
  intOrString: dyn,
  time: text,
  microTime: text,
  duration: text,
  object: dyn,
  json: dyn,
};

/**
 * The type of the objects of a kind in expressions that read them as JSON, such as those of admission policies. Built-in and
 * custom kinds have the fields that the release serves. Values that may have fields which no schema declares are of any type.
 */
export function kindDecl(schema: StructSchema, names: Names, options: CodecOptions = {}): DeclType {
  return new KindDecls(names, options).struct(schema);
}

class KindDecls {
  readonly #names: Names;
  readonly #options: CodecOptions;

  constructor(names: Names, options: CodecOptions) {
    this.#names = names;
    this.#options = options;
  }

  struct(schema: StructSchema): DeclType {
    const shape = shapeOf(schema, this.#names, this.#options);
    const { name } = schema;
    if (shape.rest === undefined) return lazyObjectDecl(name, () => this.#declared(shape));
    const rest = shape.rest();
    if (structuralDecl(rest, name).kind !== 'object') return dyn;
    return lazyObjectDecl(name, () => [...structuralFields(rest, name), ...this.#declared(shape)]);
  }

  *#declared({ fields }: StructShape): Generator<readonly [string, () => DeclType]> {
    for (const { name, field } of fields) yield [name, () => this.#value(resolveRef(field.schema))];
  }

  #value(schema: Schema): DeclType {
    switch (schema.kind) {
      case 'scalar':
        return scalars[schema.type];
      case 'struct':
        return this.struct(schema);
      case 'list':
        return listDecl(this.#value(resolveRef(schema.items)));
      case 'map':
        return mapDecl(this.#value(resolveRef(schema.values)));
      case 'union':
        return dyn;
    }
  }
}

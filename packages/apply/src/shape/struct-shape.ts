import type { Names } from '@orch/machinery';
import {
  type Field,
  mapTypeOf,
  reaches,
  resolveRef,
  type Schema,
  type StructSchema,
  typeMetaFields,
  zeroOfScalar,
} from '@orch/schema';
import { fieldElement } from '../fields/element.ts';
import type { EmptyValue, FieldShape, Shape, StructShape } from './shape.ts';
import { StructuralShapes, shapeOfUndescribed } from './structural-shape.ts';

/** Input of the shape of a struct. */
export interface StructContext {
  readonly names: Names;
  /** Reports whether a field exists in the emulated release. */
  includes(field: Field): boolean;
  shapeOf(schema: Schema, field?: Field): Shape;
}

/** The value of a field before anything is set: fields that are always written exist from the start. */
function emptyValueOf(field: Field, schema: Schema, context: StructContext): EmptyValue | undefined {
  if (field.presence !== 'always') return undefined;
  if (field.nullable === true) return () => null;
  if (schema.kind === 'scalar') {
    const zero = zeroOfScalar(schema.type);
    return () => zero;
  }
  if (schema.kind !== 'struct') return () => null;
  return () => {
    const shape = context.shapeOf(schema);
    return shape.kind === 'struct' ? emptyObject(shape) : null;
  };
}

/** A new object: only the fields that are written for every object of the shape. */
export function emptyObject(shape: StructShape): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { name, empty } of shape.fields.values()) if (empty !== undefined) object[name] = empty();
  return object;
}

class LazyField implements FieldShape {
  readonly name: string;
  readonly element: string;
  readonly dropsZero: boolean;
  readonly empty: EmptyValue | undefined;
  readonly fixedDefault: unknown;
  readonly permanent = false;
  readonly #make: () => Shape;
  #shape: Shape | undefined;

  constructor(field: Field, schema: Schema, context: StructContext) {
    this.name = context.names.field(field.name);
    this.element = fieldElement(this.name);
    this.dropsZero = field.presence === 'optional' && !(schema.kind === 'scalar' && schema.type === 'json');
    this.empty = emptyValueOf(field, schema, context);
    this.fixedDefault = typeof field.default === 'function' ? undefined : field.default;
    this.#make = () => context.shapeOf(schema, field);
  }

  /** Made on first use, since declarations may refer to each other. */
  get shape(): Shape {
    this.#shape ??= this.#make();
    return this.#shape;
  }
}

function collect(schema: StructSchema, context: StructContext, into: Map<string, FieldShape>): void {
  for (const field of schema.fields) {
    if (!context.includes(field)) continue;
    const resolved = resolveRef(field.schema);
    if (field.inline === true && resolved.kind === 'struct') collect(resolved, context, into);
    else {
      const made = new LazyField(field, resolved, context);
      into.set(made.name, made);
    }
  }
}

/** Kind and API version, which an embedded object carries; those of a whole object have no owner. */
function collectTypeMeta(schema: StructSchema, context: StructContext, into: Map<string, FieldShape>): void {
  if (schema.typeMeta !== true) return;
  for (const field of typeMetaFields) {
    if (!into.has(field.name)) into.set(field.name, new LazyField(field, resolveRef(field.schema), context));
  }
}

/** Adds the fields of a custom kind, which follow a structural schema. */
function collectRest(schema: StructSchema, context: StructContext, into: Map<string, FieldShape>): void {
  const metadata = schema.fields.find(({ name }) => name === 'metadata');
  if (schema.rest === undefined || metadata === undefined) return;
  const shapes = new StructuralShapes((one) => context.shapeOf(one), metadata.schema);
  for (const [name, field] of shapes.fields(schema.rest())) if (!into.has(name)) into.set(name, field);
}

class LazyStruct implements StructShape {
  readonly kind = 'struct';
  readonly atomic: boolean;
  readonly #schema: StructSchema;
  readonly #context: StructContext;
  #fields: ReadonlyMap<string, FieldShape> | undefined;

  constructor(schema: StructSchema, context: StructContext) {
    this.atomic = mapTypeOf(schema, reaches(context)) === 'atomic';
    this.#schema = schema;
    this.#context = context;
  }

  get rest(): Shape | undefined {
    const { rest } = this.#schema;
    return rest === undefined ? undefined : shapeOfUndescribed(rest());
  }

  get fields(): ReadonlyMap<string, FieldShape> {
    if (this.#fields === undefined) {
      const fields = new Map<string, FieldShape>();
      collect(this.#schema, this.#context, fields);
      collectTypeMeta(this.#schema, this.#context, fields);
      collectRest(this.#schema, this.#context, fields);
      this.#fields = fields;
    }
    return this.#fields;
  }
}

export const structShape = (schema: StructSchema, context: StructContext): StructShape =>
  new LazyStruct(schema, context);

/** The same struct with a separate owner of each field. */
export const granular = (shape: StructShape): StructShape => ({
  kind: 'struct',
  atomic: false,
  rest: undefined,
  get fields() {
    return shape.fields;
  },
});

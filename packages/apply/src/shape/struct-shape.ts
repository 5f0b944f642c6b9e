import type { Names } from '@orch/machinery';
import { type Field, resolveRef, type Schema, type StructSchema } from '@orch/schema';
import { fieldElement } from '../fields/element.ts';
import type { EmptyValue, MemberShape, Shape, StructShape } from './shape.ts';
import { StructuralShapes, shapeOfUndescribed } from './structural-shape.ts';

/** What a struct needs to know to be seen as a shape. */
export interface StructContext {
  readonly names: Names;
  /** Whether a member exists in the emulated release. */
  includes(field: Field): boolean;
  shapeOf(schema: Schema, field?: Field): Shape;
}

/** What an object has at a member before anything is set: members that are always written are there from the start. */
function emptyValueOf(field: Field, schema: Schema, context: StructContext): EmptyValue | undefined {
  if (field.presence !== 'always') return undefined;
  if (field.nullable === true || schema.kind !== 'struct') return () => null;
  return () => {
    const shape = context.shapeOf(schema);
    return shape.kind === 'struct' ? emptyObject(shape) : null;
  };
}

/** An object to which nothing was done yet: only what is written for every object of the shape. */
export function emptyObject(shape: StructShape): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const { name, empty } of shape.members.values()) if (empty !== undefined) object[name] = empty();
  return object;
}

class LazyMember implements MemberShape {
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

function collect(schema: StructSchema, context: StructContext, into: Map<string, MemberShape>): void {
  for (const field of schema.fields) {
    if (!context.includes(field)) continue;
    const member = resolveRef(field.schema);
    if (field.inline === true && member.kind === 'struct') collect(member, context, into);
    else {
      const made = new LazyMember(field, member, context);
      into.set(made.name, made);
    }
  }
}

/** Adds the members of a custom kind, which follow a structural schema. */
function collectRest(schema: StructSchema, context: StructContext, into: Map<string, MemberShape>): void {
  const metadata = schema.fields.find(({ name }) => name === 'metadata');
  if (schema.rest === undefined || metadata === undefined) return;
  const shapes = new StructuralShapes((one) => context.shapeOf(one), metadata.schema);
  for (const [name, member] of shapes.members(schema.rest())) if (!into.has(name)) into.set(name, member);
}

class LazyStruct implements StructShape {
  readonly kind = 'struct';
  readonly atomic: boolean;
  readonly #schema: StructSchema;
  readonly #context: StructContext;
  #members: ReadonlyMap<string, MemberShape> | undefined;

  constructor(schema: StructSchema, context: StructContext) {
    this.atomic = schema.mapType === 'atomic';
    this.#schema = schema;
    this.#context = context;
  }

  get rest(): Shape | undefined {
    const { rest } = this.#schema;
    return rest === undefined ? undefined : shapeOfUndescribed(rest());
  }

  get members(): ReadonlyMap<string, MemberShape> {
    if (this.#members === undefined) {
      const members = new Map<string, MemberShape>();
      collect(this.#schema, this.#context, members);
      collectRest(this.#schema, this.#context, members);
      this.#members = members;
    }
    return this.#members;
  }
}

export const structShape = (schema: StructSchema, context: StructContext): StructShape =>
  new LazyStruct(schema, context);

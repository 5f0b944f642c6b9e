import { fieldSchema, resolveRef, type Schema, type SchemaRef, type StructuralSchema } from '@orch/schema';
import { fieldElement } from '../fields/element.ts';
import { isScalar } from '../values/scalar.ts';
import { compareText } from '../values/text-order.ts';
import { shapeOfScalar } from './scalar-shape.ts';
import {
  type FieldShape,
  free,
  type ListKey,
  type ListShape,
  type MapShape,
  type Shape,
  type StructShape,
} from './shape.ts';

/** Makes shapes of structural schemas, each part on first use. */
export class StructuralShapes {
  readonly #shapeOf: (schema: Schema) => Shape;
  readonly #metadata: SchemaRef;

  /** `metadata` is the schema of the metadata of embedded objects; `shapeOf` makes its shape. */
  constructor(shapeOf: (schema: Schema) => Shape, metadata: SchemaRef) {
    this.#shapeOf = shapeOf;
    this.#metadata = metadata;
  }

  of(schema: StructuralSchema): Shape {
    if (schema.isIntOrString === true) return shapeOfScalar('intOrString');
    switch (schema.type) {
      case 'string':
        return shapeOfScalar('string');
      case 'boolean':
        return shapeOfScalar('bool');
      case 'integer':
      case 'number':
        return shapeOfScalar('float64');
      case 'array':
        return new StructuralList(schema, () => this.of(schema.items ?? {}));
      case 'object':
        return this.#object(schema);
      default:
        return free;
    }
  }

  /** The fields that a schema describes, each with its shape. */
  *fields(schema: StructuralSchema): Iterable<readonly [string, FieldShape]> {
    for (const [name, property] of schema.properties ?? []) yield [name, this.#field(name, property)];
    if (schema.isEmbeddedResource !== true) return;
    for (const name of ['apiVersion', 'kind']) yield [name, this.#field(name, { type: 'string' })];
    const shape = (): Shape => this.#shapeOf(resolveRef(this.#metadata));
    yield ['metadata', new StructuralField('metadata', undefined, shape)];
  }

  #field(name: string, schema: StructuralSchema): FieldShape {
    return new StructuralField(name, schema.default, () => this.of(schema));
  }

  #object(schema: StructuralSchema): StructShape | MapShape {
    const { additionalProperties, properties } = schema;
    if (properties === undefined && typeof additionalProperties === 'object') {
      return new StructuralMap(schema, () => this.of(additionalProperties));
    }
    return new StructuralStruct(schema, () => new Map(this.fields(schema)));
  }
}

/** The shape of fields that a schema does not describe; undefined when there may be none. */
export function shapeOfUndescribed({
  additionalProperties,
  preservesUnknownFields,
}: StructuralSchema): Shape | undefined {
  return preservesUnknownFields === true || additionalProperties !== undefined ? free : undefined;
}

class StructuralStruct implements StructShape {
  readonly kind = 'struct';
  readonly atomic: boolean;
  readonly rest: Shape | undefined;
  readonly #make: () => ReadonlyMap<string, FieldShape>;
  #fields: ReadonlyMap<string, FieldShape> | undefined;

  constructor(schema: StructuralSchema, make: () => ReadonlyMap<string, FieldShape>) {
    this.atomic = schema.mapType === 'atomic';
    this.rest = shapeOfUndescribed(schema);
    this.#make = make;
  }

  get fields(): ReadonlyMap<string, FieldShape> {
    this.#fields ??= this.#make();
    return this.#fields;
  }
}

class StructuralMap implements MapShape {
  readonly kind = 'map';
  readonly atomic: boolean;
  readonly #make: () => Shape;
  #values: Shape | undefined;

  constructor(schema: StructuralSchema, make: () => Shape) {
    this.atomic = schema.mapType === 'atomic';
    this.#make = make;
  }

  get values(): Shape {
    this.#values ??= this.#make();
    return this.#values;
  }
}

/** Custom objects keep zeros and have nothing before it is set. */
class StructuralField implements FieldShape {
  readonly name: string;
  readonly element: string;
  readonly dropsZero = false;
  readonly empty = undefined;
  readonly fixedDefault: unknown;
  readonly permanent = false;
  readonly #make: () => Shape;
  #shape: Shape | undefined;

  constructor(name: string, fixedDefault: unknown, make: () => Shape) {
    this.name = name;
    this.element = fieldElement(name);
    this.fixedDefault = fixedDefault;
    this.#make = make;
  }

  get shape(): Shape {
    this.#shape ??= this.#make();
    return this.#shape;
  }
}

const scalarTypes: ReadonlySet<string | undefined> = new Set(['string', 'boolean', 'integer', 'number']);

/** Items of sets are identified by their value where they are scalars; other sets are atomic. */
function identityOf({ items, listType, mapKeys }: StructuralSchema): ListShape['identity'] {
  if (listType === 'map' && mapKeys !== undefined) return 'keys';
  const isOfScalars = items !== undefined && (items.isIntOrString === true || scalarTypes.has(items.type));
  return listType === 'set' && isOfScalars ? 'value' : 'none';
}

function keyOf(schema: StructuralSchema, name: string): ListKey {
  const absent = fieldSchema(schema.items ?? {}, name)?.default;
  return { name, label: `${JSON.stringify(name)}:`, absent: isScalar(absent) ? absent : undefined };
}

class StructuralList implements ListShape {
  readonly kind = 'list';
  readonly identity: ListShape['identity'];
  readonly keys: readonly ListKey[];
  readonly #make: () => Shape;
  #items: Shape | undefined;

  constructor(schema: StructuralSchema, make: () => Shape) {
    this.identity = identityOf(schema);
    this.keys = [...(schema.mapKeys ?? [])].sort(compareText).map((name) => keyOf(schema, name));
    this.#make = make;
  }

  get items(): Shape {
    this.#items ??= this.#make();
    return this.#items;
  }
}

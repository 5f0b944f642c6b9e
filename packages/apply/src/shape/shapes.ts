import type { Names } from '@orch/machinery';
import { type Field, isGranular, reaches, resolveRef, type Schema, type StructSchema } from '@orch/schema';
import { fieldElement } from '../fields/element.ts';
import { listShape } from './list-shape.ts';
import { resourceQuantityShape, shapeOfScalar } from './scalar-shape.ts';
import { type FieldShape, free, ignored, type MapShape, type Shape, type StructShape } from './shape.ts';
import { emptyObject, granular, type StructContext, structShape } from './struct-shape.ts';

/** The shape of whole objects of one kind in one version. */
export interface ObjectShapes {
  readonly root: StructShape;
  /** An object of the kind to which nothing was done yet. */
  empty(): Record<string, unknown>;
}

/** Fields of `metadata` that only the server writes, or that no request can change: they have no owner. */
const neverOwned: readonly string[] = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

const ignoredField = (name: string): FieldShape => ({
  name,
  element: fieldElement(name),
  shape: ignored,
  dropsZero: false,
  empty: undefined,
  fixedDefault: undefined,
  permanent: true,
});

class LazyMap implements MapShape {
  readonly kind = 'map';
  readonly atomic: boolean;
  readonly #make: () => Shape;
  #values: Shape | undefined;

  constructor(atomic: boolean, make: () => Shape) {
    this.atomic = atomic;
    this.#make = make;
  }

  get values(): Shape {
    this.#values ??= this.#make();
    return this.#values;
  }
}

/** Reports which fields exist in the emulated release; the same choice as for codecs. All of them by default. */
export interface ShapesOptions {
  readonly includes?: (field: Field) => boolean;
}

/**
 * Shapes of schemas for one naming: a projection of the schema language, made once per schema. Use one per process and
 * naming, since kinds share most of their structs.
 */
export class Shapes {
  readonly #context: StructContext;
  readonly #structs = new WeakMap<StructSchema, StructShape>();
  readonly #objects = new WeakMap<StructSchema, ObjectShapes>();
  readonly #schemaless = new WeakMap<StructSchema, ObjectShapes>();

  constructor(names: Names, options: ShapesOptions = {}) {
    this.#context = {
      names,
      includes: options.includes ?? (() => true),
      shapeOf: (schema, field) => this.#shapeOf(schema, field),
    };
  }

  /** The shape of whole objects of a kind: as declared, except that fields which only the server writes have no owner. */
  ofObject(schema: StructSchema): ObjectShapes {
    let made = this.#objects.get(schema);
    if (made === undefined) {
      const declared = this.#struct(schema);
      made = this.#wholeObject(declared, declared.rest);
      this.#objects.set(schema, made);
    }
    return made;
  }

  /** Objects of a kind without a schema: metadata is as everywhere, the rest is taken as it comes. */
  ofSchemaless(objectMeta: StructSchema): ObjectShapes {
    let made = this.#schemaless.get(objectMeta);
    if (made === undefined) {
      const metadata: FieldShape = {
        ...ignoredField('metadata'),
        shape: this.#struct(objectMeta),
        empty: () => ({}),
      };
      const bare: StructShape = {
        kind: 'struct',
        atomic: false,
        fields: new Map([['metadata', metadata]]),
        rest: undefined,
      };
      made = this.#wholeObject(bare, free);
      this.#schemaless.set(objectMeta, made);
    }
    return made;
  }

  #wholeObject(declared: StructShape, rest: Shape | undefined): ObjectShapes {
    const fields = new Map(declared.fields);
    for (const name of ['apiVersion', 'kind']) fields.set(name, ignoredField(name));
    const metadata = fields.get('metadata');
    if (metadata?.shape.kind === 'struct') {
      const own = new Map(metadata.shape.fields);
      for (const name of neverOwned) own.set(name, ignoredField(name));
      const { name, element, dropsZero, fixedDefault } = metadata;
      const shape: StructShape = { kind: 'struct', atomic: false, fields: own, rest: undefined };
      fields.set('metadata', {
        name,
        element,
        dropsZero,
        fixedDefault,
        shape,
        permanent: true,
        empty: () => ({}),
      });
    }
    const root: StructShape = { kind: 'struct', atomic: false, fields, rest };
    return { root, empty: () => emptyObject(root) };
  }

  #struct(schema: StructSchema): StructShape {
    let made = this.#structs.get(schema);
    if (made === undefined) {
      made = structShape(schema, this.#context);
      this.#structs.set(schema, made);
    }
    return made;
  }

  #shapeOf(schema: Schema, field: Field | undefined): Shape {
    switch (schema.kind) {
      case 'scalar':
        return shapeOfScalar(schema.type);
      case 'struct': {
        const made = this.#struct(schema);
        return isGranular(field, reaches(this.#context)) ? granular(made) : made;
      }
      case 'list':
        return listShape(schema, field, this.#context);
      case 'map':
        return new LazyMap(schema.mapType === 'atomic', () => this.#valueShape(resolveRef(schema.values)));
      case 'union':
        // Published without a type, so that each variant merges as a value without a schema.
        return free;
    }
  }

  /** The only maps of quantities are resource lists, which have a separate precision. */
  #valueShape(schema: Schema): Shape {
    return schema.kind === 'scalar' && schema.type === 'quantity'
      ? resourceQuantityShape
      : this.#shapeOf(schema, undefined);
  }
}

import type { JsonObject } from '@orch/machinery/json';
import type { StructuralSchema } from '../structural-schema.ts';
import { PropertyOrder } from './property-order.ts';

/** The schema of values without a declared schema. */
const anything: StructuralSchema = {};

/** A default with the defaults of its parts, and its size. */
export interface ExpandedDefault {
  readonly value: unknown;
  /** Bytes that it adds to an object, roughly. */
  readonly bytes: number;
}

/** A scalar that is kept unchanged. */
export const isPlain = (raw: unknown): boolean =>
  typeof raw === 'string' || typeof raw === 'boolean' || (typeof raw === 'number' && Number.isFinite(raw));

/** Objects with more fields than about this many are not laid out as structs by the engine: copying those as a whole is slow. */
const MAX_COPIED = 100;

/**
 * The relation of the fields of an object to the properties of its schema. `flat` and `ordered`: they are properties in
 * order, without a gap for a default, and few; in `flat` all values are plain scalars.
 */
export type Layout = 'flat' | 'ordered' | 'other';

/** A plan for a part of an object, and whether fields in that part which the plan does not describe are kept. */
export interface PartPlan {
  readonly plan: ReadPlan;
  readonly keeps: boolean;
}

export const keepingItsOwn = (plan: ReadPlan): PartPlan => ({ plan, keeps: plan.keepsUndescribed });

/**
 * A schema prepared for parsing: lookups for every object are computed once. Plans of fields are created when a field
 * is first parsed and is not a plain scalar, so that large schemas of which little is used stay small.
 */
export class ReadPlan {
  readonly schema: StructuralSchema;
  /** Fields that the schema does not describe are kept. */
  readonly keepsUndescribed: boolean;
  readonly isEmbedded: boolean;
  readonly #order: PropertyOrder;
  /** Indexes of the properties that have a default. */
  readonly defaulted: readonly number[];
  readonly #fields: (ReadPlan | undefined)[];
  #others: ReadPlan | undefined;
  #items: ReadPlan | undefined;
  /** The default with the defaults of its parts. */
  default: ExpandedDefault | undefined;

  constructor(schema: StructuralSchema) {
    this.schema = schema;
    this.keepsUndescribed = schema.preservesUnknownFields === true;
    this.isEmbedded = schema.isEmbeddedResource === true;
    this.#order = PropertyOrder.of(schema);
    this.#fields = new Array<ReadPlan | undefined>(this.names.length).fill(undefined);
    const properties = [...(schema.properties?.values() ?? [])];
    this.defaulted = properties.flatMap(({ default: value }, i) => (value === undefined ? [] : [i]));
  }

  /** Names of the properties, in bytewise order. */
  get names(): readonly string[] {
    return this.#order.names;
  }

  /** The position of a property; undefined for other names. */
  indexOf(name: string): number | undefined {
    return this.#order.indexOf(name);
  }

  /** The plan of the property with an index. */
  field(index: number): ReadPlan {
    let field = this.#fields[index];
    if (field === undefined) {
      field = new ReadPlan(this.schema.properties?.get(this.names[index] ?? '') ?? anything);
      this.#fields[index] = field;
    }
    return field;
  }

  /** The plan for fields that are not properties; undefined when the schema does not describe them. */
  get others(): ReadPlan | undefined {
    const { additionalProperties } = this.schema;
    if (additionalProperties === undefined) return undefined;
    this.#others ??= new ReadPlan(typeof additionalProperties === 'object' ? additionalProperties : anything);
    return this.#others;
  }

  /** The plan of a field, and whether fields in it that are not described are kept; undefined where the field has no schema. */
  part(name: string): PartPlan | undefined {
    const index = this.indexOf(name);
    if (index !== undefined) return keepingItsOwn(this.field(index));
    const { others } = this;
    if (others === undefined) return undefined;
    return typeof this.schema.additionalProperties === 'object'
      ? keepingItsOwn(others)
      : { plan: others, keeps: false };
  }

  get items(): ReadPlan {
    this.#items ??= new ReadPlan(this.schema.items ?? anything);
    return this.#items;
  }

  /** `defaulted`: the properties whose defaults are applied. */
  layoutOf(object: JsonObject, defaulted: readonly number[]): Layout {
    const { names } = this;
    let isFlat = true;
    let next = 0;
    let passed = 0;
    for (const name in object) {
      if (names[next] !== name) {
        const index = this.#order.indexOf(name);
        if (index === undefined || index < next) return 'other';
        while ((defaulted[passed] ?? index) < next) passed++;
        if ((defaulted[passed] ?? index) < index) return 'other';
        next = index;
      }
      next++;
      isFlat &&= isPlain(object[name]);
    }
    return isFlat && next <= MAX_COPIED ? 'flat' : 'ordered';
  }
}

import type { StructuralSchema } from '../structural-schema.ts';

/** The properties of a schema by index, in the order in which objects have them once they are read. */
export class PropertyOrder {
  readonly names: readonly string[];
  readonly #indexes: ReadonlyMap<string, number>;

  private constructor(names: readonly string[]) {
    this.names = names;
    this.#indexes = new Map(names.map((name, i) => [name, i]));
  }

  /** Computed once, for as long as the properties exist. */
  static of({ properties = noProperties }: StructuralSchema): PropertyOrder {
    let order = orders.get(properties);
    if (order === undefined) {
      order = new PropertyOrder([...properties.keys()]);
      orders.set(properties, order);
    }
    return order;
  }

  /** Undefined for names of no property. */
  indexOf(name: string): number | undefined {
    return this.#indexes.get(name);
  }
}

const noProperties: ReadonlyMap<string, StructuralSchema> = new Map();
const orders = new WeakMap<ReadonlyMap<string, StructuralSchema>, PropertyOrder>();

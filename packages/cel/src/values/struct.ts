import { type EqualsOther, sameEntries, type WorkMeter } from './equality.ts';
import { MapValue, type Value } from './value.ts';

/** An object that an expression builds: `Name{field: value}`. */
export class StructValue extends MapValue implements EqualsOther {
  readonly typeName: string;
  readonly #fields: ReadonlyMap<string, Value>;
  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.#fields = fields;
  }
  get size(): number {
    return this.#fields.size;
  }
  get(key: Value): Value | undefined {
    return typeof key === 'string' ? this.#fields.get(key) : undefined;
  }
  has(key: Value): boolean {
    return typeof key === 'string' && this.#fields.has(key);
  }
  keys(): readonly string[] {
    return [...this.#fields.keys()];
  }
  equalsValue(other: Value, meter?: WorkMeter): boolean {
    return (
      other instanceof StructValue && other.typeName === this.typeName && sameEntries(this, other, meter)
    );
  }
}

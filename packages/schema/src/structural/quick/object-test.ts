import type { Work } from '@orch/machinery/concurrency';
import { hasManyParts, type JsonObject } from '@orch/machinery/json';
import type { Budget } from '../../pattern/budget.ts';
import type { StructuralSchema } from '../../structural-schema.ts';
import { PropertyOrder } from '../property-order.ts';
import type { MakeTest, PartTest, Spending } from './part-test.ts';

const none: readonly string[] = [];

/** Tests the fields of objects. */
export class ObjectTest {
  readonly #schema: StructuralSchema;
  readonly #make: MakeTest;
  readonly #order: PropertyOrder;
  /** Tests of the properties, by index; made on first use. */
  readonly #tests: (PartTest | undefined)[];
  readonly #required: readonly string[];
  #others: PartTest | undefined;

  constructor(schema: StructuralSchema, make: MakeTest) {
    this.#schema = schema;
    this.#make = make;
    this.#order = PropertyOrder.of(schema);
    this.#tests = new Array<PartTest | undefined>(this.#order.names.length).fill(undefined);
    this.#required = schema.rules?.required ?? none;
  }

  holds(object: JsonObject, budget: Budget): boolean {
    for (const name of this.#required) if (!Object.hasOwn(object, name)) return false;
    const { additionalProperties: others } = this.#schema;
    const { names } = this.#order;
    let next = 0;
    let count = 0;
    for (const name in object) {
      count++;
      const i = names[next] === name ? next : this.#order.indexOf(name);
      if (i === undefined) {
        if (others === false) return false;
        if (typeof others !== 'object') continue;
        this.#others ??= this.#make(others);
        if (!this.#others.holds(object[name], budget)) return false;
      } else {
        next = i + 1;
        const test = this.#tests[i] ?? this.#testOf(name, i);
        if (!test.holds(object[name], budget)) return false;
      }
    }
    budget.spend(count + 1);
    return this.#holdsCount(count);
  }

  *holding(object: JsonObject, spending: Spending): Work<boolean> {
    const { budget, pace } = spending;
    for (const name of this.#required) if (!Object.hasOwn(object, name)) return false;
    const names = Object.keys(object);
    for (const name of names) {
      if (pace.isDue()) yield;
      const test = this.#testOfField(name);
      if (test === false) return false;
      if (test === undefined) continue;
      const value = object[name];
      const holds = hasManyParts(value) ? yield* test.holding(value, spending) : test.holds(value, budget);
      if (!holds) return false;
    }
    budget.spend(names.length + 1);
    return this.#holdsCount(names.length);
  }

  /** Undefined for fields that may have any value, false for those that are not allowed. */
  #testOfField(name: string): PartTest | undefined | false {
    const i = this.#order.indexOf(name);
    if (i !== undefined) return this.#tests[i] ?? this.#testOf(name, i);
    const { additionalProperties: others } = this.#schema;
    if (typeof others !== 'object') return others === false ? false : undefined;
    this.#others ??= this.#make(others);
    return this.#others;
  }

  #testOf(name: string, i: number): PartTest {
    const test = this.#make(this.#schema.properties?.get(name) ?? {});
    this.#tests[i] = test;
    return test;
  }

  #holdsCount(count: number): boolean {
    const { rules } = this.#schema;
    if (rules === undefined) return true;
    const { maxProperties, minProperties } = rules;
    return (
      (maxProperties === undefined || count <= maxProperties) &&
      (minProperties === undefined || count >= minProperties)
    );
  }
}

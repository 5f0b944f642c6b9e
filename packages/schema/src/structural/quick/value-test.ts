import type { Work } from '@orch/machinery/concurrency';
import { hasManyParts, isExactNumber, type JsonObject } from '@orch/machinery/json';
import type { Budget } from '../../pattern/budget.ts';
import type { StructuralSchema, ValueRules } from '../../structural-schema.ts';
import { noPast } from '../correlation.ts';
import { hasDuplicates, hasDuplicatesInPieces } from '../duplicates.ts';
import { type Rules, RuleWalk } from '../rule-walk.ts';
import { compileRules } from '../value-rules.ts';
import { CombinationTest } from './combination-test.ts';
import { ObjectTest } from './object-test.ts';
import type { PartTest, Spending } from './part-test.ts';
import { ScalarTest } from './scalar-test.ts';
import { allowedTypes, TypeBit } from './type-bits.ts';

const none: ValueRules = {};

/**
 * Tests whether a value satisfies a schema, without paths and messages: most objects are valid, and validating them costs
 * little more than visiting each value once. Cases that the test does not decide are left to the full validation of that
 * value, so that both always agree. Parts are compiled when a value first has them.
 */
export class ValueTest implements PartTest {
  readonly #schema: StructuralSchema;
  readonly #types: number;
  readonly #scalars: ScalarTest;
  readonly #combinations: CombinationTest | undefined;
  #objects: ObjectTest | undefined;
  #items: ValueTest | undefined;
  #rules: Rules | undefined;

  constructor(schema: StructuralSchema) {
    this.#schema = schema;
    this.#types = allowedTypes(schema);
    this.#scalars = new ScalarTest(schema, this.#types);
    this.#combinations = CombinationTest.of(schema.rules, (part) => new ValueTest(part));
  }

  holds(value: unknown, budget: Budget): boolean {
    if (typeof value === 'object') return this.#holdsNested(value, budget);
    const isFine = this.#scalars.holds(value, budget);
    if (isFine === undefined) return this.#holdsInFull(value, budget);
    return isFine && this.#combinations?.holds(value, budget) !== false;
  }

  #holdsNested(value: object | null, budget: Budget): boolean {
    const types = this.#types;
    if (value === null) return (types & TypeBit.null) !== 0 || this.#holdsInFull(value, budget);
    const isList = Array.isArray(value);
    const isExpected = (types & (isList ? TypeBit.array : TypeBit.object)) !== 0;
    if (!isExpected || isExactNumber(value)) return this.#holdsInFull(value, budget);
    if (this.#combinations?.holds(value, budget) === false) return false;
    if (isList) return this.#holdsItems(value, budget);
    this.#objects ??= new ObjectTest(this.#schema, (part) => new ValueTest(part));
    return this.#objects.holds(value as JsonObject, budget);
  }

  #holdsItems(items: readonly unknown[], budget: Budget): boolean {
    budget.spend(items.length + 1);
    if (!this.#holdsLength(items.length)) return false;
    if (this.#schema.rules?.uniqueItems === true && hasDuplicates(items)) return false;
    const test = this.#itemTest();
    if (test !== undefined) for (const item of items) if (!test.holds(item, budget)) return false;
    return true;
  }

  #holdsLength(length: number): boolean {
    const { maxItems, minItems } = this.#schema.rules ?? none;
    return (maxItems === undefined || length <= maxItems) && (minItems === undefined || length >= minItems);
  }

  #itemTest(): ValueTest | undefined {
    const { items } = this.#schema;
    if (items === undefined) return undefined;
    this.#items ??= new ValueTest(items);
    return this.#items;
  }

  *holding(value: unknown, spending: Spending): Work<boolean> {
    const { budget } = spending;
    if (typeof value !== 'object' || value === null || isExactNumber(value)) return this.holds(value, budget);
    const isList = Array.isArray(value);
    if ((this.#types & (isList ? TypeBit.array : TypeBit.object)) === 0)
      return yield* this.#holdingInFull(value, spending);
    if (this.#combinations !== undefined && !(yield* this.#combinations.holding(value, spending)))
      return false;
    if (isList) return yield* this.#holdingItems(value, spending);
    this.#objects ??= new ObjectTest(this.#schema, (part) => new ValueTest(part));
    return yield* this.#objects.holding(value as JsonObject, spending);
  }

  *#holdingItems(items: readonly unknown[], spending: Spending): Work<boolean> {
    const { budget, pace } = spending;
    budget.spend(items.length + 1);
    if (!this.#holdsLength(items.length)) return false;
    if (this.#schema.rules?.uniqueItems === true && (yield* hasDuplicatesInPieces(items, pace))) return false;
    const test = this.#itemTest();
    if (test === undefined) return true;
    for (const item of items) {
      if (pace.isDue()) yield;
      const holds = hasManyParts(item) ? yield* test.holding(item, spending) : test.holds(item, budget);
      if (!holds) return false;
    }
    return true;
  }

  /** For values that are probably invalid, or rare. */
  #holdsInFull(value: unknown, budget: Budget): boolean {
    this.#rules ??= compileRules(this.#schema);
    const walk = new RuleWalk(budget);
    this.#rules.visit(value, noPast, walk);
    return walk.failures === 0;
  }

  *#holdingInFull(value: unknown, { budget, pace }: Spending): Work<boolean> {
    this.#rules ??= compileRules(this.#schema);
    const walk = new RuleWalk(budget, '', { pace });
    yield* this.#rules.inPieces(value, noPast, walk);
    return walk.failures === 0;
  }
}

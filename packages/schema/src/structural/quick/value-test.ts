import { isExactNumber, type JsonObject } from '@orch/machinery/json';
import type { Budget } from '../../pattern/budget.ts';
import type { StructuralSchema } from '../../structural-schema.ts';
import { noPast } from '../correlation.ts';
import { RuleWalk, type Visit } from '../rule-walk.ts';
import { compileRules, hasDuplicates } from '../value-rules.ts';
import { CombinationTest } from './combination-test.ts';
import { ObjectTest } from './object-test.ts';
import type { PartTest } from './part-test.ts';
import { ScalarTest } from './scalar-test.ts';
import { allowedTypes, TypeBit } from './type-bits.ts';

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
  #visit: Visit | undefined;

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
    const { items: schema, rules } = this.#schema;
    budget.spend(items.length + 1);
    if (rules !== undefined) {
      const { maxItems, minItems, uniqueItems } = rules;
      if (maxItems !== undefined && items.length > maxItems) return false;
      if (minItems !== undefined && items.length < minItems) return false;
      if (uniqueItems === true && hasDuplicates(items)) return false;
    }
    if (schema === undefined) return true;
    this.#items ??= new ValueTest(schema);
    for (const item of items) if (!this.#items.holds(item, budget)) return false;
    return true;
  }

  /** For values that are probably invalid, or rare. */
  #holdsInFull(value: unknown, budget: Budget): boolean {
    this.#visit ??= compileRules(this.#schema);
    const walk = new RuleWalk(budget);
    this.#visit(value, noPast, walk);
    return walk.failures === 0;
  }
}

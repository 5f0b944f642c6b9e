import type { Work } from '@orch/machinery/concurrency';
import type { Budget } from '../../pattern/budget.ts';
import type { StructuralSchema, ValueRules } from '../../structural-schema.ts';
import type { MakeTest, PartTest, Spending } from './part-test.ts';

/** The tests of schemas that are combined. Each is made when it is first used. */
class Alternatives {
  readonly #schemas: readonly StructuralSchema[];
  readonly #make: MakeTest;
  readonly #tests: PartTest[] = [];

  constructor(schemas: readonly StructuralSchema[], make: MakeTest) {
    this.#schemas = schemas;
    this.#make = make;
  }

  /** The number of alternatives that hold; counting ends at `enough`. */
  count(value: unknown, budget: Budget, enough: number): number {
    let count = 0;
    for (let i = 0; i < this.#schemas.length && count < enough; i++) {
      budget.spend(1);
      if (this.#test(i).holds(value, budget)) count++;
    }
    return count;
  }

  /** Like `count`, of a value with many parts, in pieces. */
  *counting(value: unknown, spending: Spending, enough: number): Work<number> {
    let count = 0;
    for (let i = 0; i < this.#schemas.length && count < enough; i++) {
      spending.budget.spend(1);
      if (yield* this.#test(i).holding(value, spending)) count++;
    }
    return count;
  }

  #test(i: number): PartTest {
    const test = this.#tests[i] ?? this.#make(this.#schemas[i] as StructuralSchema);
    this.#tests[i] = test;
    return test;
  }
}

/** Tests values that are not null for the combinations of schemas in rules. */
export class CombinationTest {
  readonly #anyOf: Alternatives | undefined;
  readonly #oneOf: Alternatives | undefined;
  readonly #allOf: Alternatives | undefined;
  readonly #not: Alternatives | undefined;
  readonly #allCount: number;

  private constructor({ allOf, anyOf, not, oneOf }: ValueRules, make: MakeTest) {
    const alternatives = (schemas: readonly StructuralSchema[] | undefined): Alternatives | undefined =>
      schemas === undefined ? undefined : new Alternatives(schemas, make);
    this.#anyOf = alternatives(anyOf);
    this.#oneOf = alternatives(oneOf);
    this.#allOf = alternatives(allOf);
    this.#not = alternatives(not === undefined ? undefined : [not]);
    this.#allCount = allOf?.length ?? 0;
  }

  /** Undefined where the rules combine nothing. */
  static of(rules: ValueRules | undefined, make: MakeTest): CombinationTest | undefined {
    const { allOf, anyOf, not, oneOf } = rules ?? {};
    const isCombined = (allOf ?? anyOf ?? not ?? oneOf) !== undefined;
    return rules !== undefined && isCombined ? new CombinationTest(rules, make) : undefined;
  }

  holds(value: unknown, budget: Budget): boolean {
    return (
      this.#anyOf?.count(value, budget, 1) !== 0 &&
      (this.#oneOf === undefined || this.#oneOf.count(value, budget, 2) === 1) &&
      (this.#allOf === undefined || this.#allOf.count(value, budget, this.#allCount) === this.#allCount) &&
      (this.#not === undefined || this.#not.count(value, budget, 1) === 0)
    );
  }

  *holding(value: unknown, spending: Spending): Work<boolean> {
    const all = this.#allCount;
    if (this.#anyOf !== undefined && (yield* this.#anyOf.counting(value, spending, 1)) === 0) return false;
    if (this.#oneOf !== undefined && (yield* this.#oneOf.counting(value, spending, 2)) !== 1) return false;
    if (this.#allOf !== undefined && (yield* this.#allOf.counting(value, spending, all)) !== all)
      return false;
    return this.#not === undefined || (yield* this.#not.counting(value, spending, 1)) === 0;
  }
}

import type { Budget } from '../../pattern/budget.ts';
import type { StructuralSchema, ValueRules } from '../../structural-schema.ts';
import { formatTest } from '../formats.ts';
import { numberRange } from '../number-range.ts';
import { valuePattern } from '../value-pattern.ts';
import { TypeBit } from './type-bits.ts';

/** Bounds of whole numbers lose their fraction, as in the full validation. */
const whole = (bound: number): number => (Number.isFinite(bound) ? Math.trunc(bound) : 0);

const none: ValueRules = {};

/** Reports whether every whole number of a double, and every fraction, has the type and format of a schema. */
const isWide = ({ rules, type }: StructuralSchema): boolean =>
  rules?.format === undefined || type === 'string' || rules.format === 'int64' || rules.format === 'double';

/** Tests strings, numbers and booleans. */
export class ScalarTest {
  readonly #types: number;
  readonly #rules: ValueRules;
  readonly #maxLength: number;
  readonly #minLength: number;
  /** Bounds of whole numbers, themselves allowed. */
  readonly #most: number;
  readonly #least: number;
  readonly #enum: ReadonlySet<unknown> | undefined;
  readonly #isInRange: ((value: unknown) => boolean) | undefined;
  readonly #isPlainText: boolean;
  readonly #isPlainNumber: boolean;
  /** A value of a type that is not allowed; with a format it depends. */
  readonly #otherType: false | undefined;

  /** `types` are those that the schema allows, of `TypeBit`. */
  constructor(schema: StructuralSchema, types: number) {
    const { rules = none } = schema;
    const { exclusiveMaximum, exclusiveMinimum, format, maximum, minimum, multipleOf, pattern } = rules;
    this.#types = types;
    this.#rules = rules;
    this.#maxLength = rules.maxLength ?? Number.POSITIVE_INFINITY;
    this.#minLength = rules.minLength ?? 0;
    this.#most =
      maximum === undefined ? Number.POSITIVE_INFINITY : whole(maximum) - (exclusiveMaximum ? 1 : 0);
    this.#least =
      minimum === undefined ? Number.NEGATIVE_INFINITY : whole(minimum) + (exclusiveMinimum ? 1 : 0);
    this.#enum = rules.enum === undefined ? undefined : new Set(rules.enum);
    this.#isInRange = numberRange(schema);
    this.#isPlainText = rules.enum === undefined && pattern === undefined && format === undefined;
    this.#isPlainNumber = rules.enum === undefined && multipleOf === undefined && isWide(schema);
    this.#otherType = format === undefined ? false : undefined;
  }

  /** Undefined where a value has to be validated in full. */
  holds(value: unknown, budget: Budget): boolean | undefined {
    switch (typeof value) {
      case 'string':
        if ((this.#types & TypeBit.string) === 0) return this.#otherType;
        if (!this.#holdsLength(value)) return undefined;
        return this.#isPlainText || this.#holdsText(value, budget);
      case 'number':
        if ((this.#types & (TypeBit.integer | TypeBit.number)) === 0) return this.#otherType;
        return this.#holdsNumber(value) && (this.#isPlainNumber || this.#holdsRules(value))
          ? true
          : undefined;
      case 'boolean':
        if ((this.#types & TypeBit.boolean) === 0) return this.#otherType;
        return this.#enum?.has(value) !== false;
      default:
        return undefined;
    }
  }

  /** A code point has one or two units of UTF-16, so that most strings need not be counted. */
  #holdsLength({ length }: string): boolean {
    const least = this.#minLength;
    return length <= this.#maxLength && length >= (least > 1 ? least * 2 : least);
  }

  #holdsText(value: string, budget: Budget): boolean {
    if (this.#enum?.has(value) === false) return false;
    const { format, pattern } = this.#rules;
    if (pattern !== undefined) {
      const compiled = valuePattern(pattern, this.#rules);
      if (typeof compiled === 'string' || !compiled.matches(value, budget)) return false;
    }
    return format === undefined || formatTest(format)?.(value) !== false;
  }

  #holdsNumber(value: number): boolean {
    if (Number.isSafeInteger(value)) return value <= this.#most && value >= this.#least;
    const { maximum = Number.POSITIVE_INFINITY, minimum = Number.NEGATIVE_INFINITY } = this.#rules;
    // At the bounds themselves it depends.
    const isFraction = (this.#types & TypeBit.number) !== 0 && !Number.isInteger(value);
    return isFraction && value < maximum && value > minimum;
  }

  #holdsRules(value: number): boolean {
    if (this.#enum?.has(value) === false) return false;
    if (this.#isInRange?.(value) === false) return false;
    const { multipleOf } = this.#rules;
    if (multipleOf === undefined) return true;
    const isWhole = Number.isSafeInteger(multipleOf) && Number.isSafeInteger(value);
    return isWhole && multipleOf > 0 && value % multipleOf === 0;
  }
}

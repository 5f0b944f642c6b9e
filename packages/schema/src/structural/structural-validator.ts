import { type FieldError, fieldError } from '@orch/machinery';
import { atOnce, Pace, type Work } from '@orch/machinery/concurrency';
import { hasManyParts } from '@orch/machinery/json';
import { BudgetError, budgetOf } from '../pattern/budget.ts';
import type { CheckContext } from '../schema.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { MAX_ERRORS } from '../walk/validation-walk.ts';
import { noPast } from './correlation.ts';
import { EmbeddedRules } from './embedded-rules.ts';
import { ListRules } from './list-rules.ts';
import { ValueTest } from './quick/index.ts';
import { type Rules, RuleWalk } from './rule-walk.ts';
import { evaluateRules, type RuledValue, type RuleTree, RuleTrees } from './rules/index.ts';
import { compilePart } from './value-rules.ts';

/** Steps that validating one object may take: about a second of work. Usual objects take some thousand. */
const MAX_STEPS = 50_000_000;

/** Violations after which expressions are not evaluated. */
const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const unchecked =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

const none: readonly FieldError[] = [];

/** The errors of work that ends with its first piece; other work is postponed where that is possible. */
function errorsOf(
  work: Work<readonly FieldError[]>,
  postponed: CheckContext['postponed'],
): readonly FieldError[] {
  const first = work.next();
  if (first.done === true) return first.value;
  if (postponed === undefined) return atOnce(work);
  postponed.push(work);
  return none;
}

/** Makes the schema on first use; later calls return the same one. */
export type LazyStructural = () => StructuralSchema;

/** The violation of an object that exceeds the budget. */
function tooMuchWork(error: unknown): FieldError {
  if (!(error instanceof BudgetError)) throw error;
  return fieldError.forbidden('', 'the object takes too much work to check against its schema');
}

type CheckedWith = Pick<CheckContext, 'old' | 'names' | 'postponed' | 'isDivided'>;

/** Checks values by one structural schema, which is compiled on first use. */
export class StructuralValidator {
  readonly #schema: LazyStructural;
  #test: ValueTest | undefined;
  #full: Rules | undefined;
  readonly #lists = new ListRules();
  #embedded: EmbeddedRules | undefined;
  #expressions: { readonly tree: RuleTree | undefined } | undefined;

  constructor(schema: LazyStructural) {
    this.#schema = schema;
  }

  /** Reads the schema and compiles its rules in pieces; undefined when that is done. */
  preparation(reading: () => Work<StructuralSchema>): Work<void> | undefined {
    return this.#expressions === undefined ? this.#prepare(reading) : undefined;
  }

  *#prepare(reading: () => Work<StructuralSchema>): Work<void> {
    const tree = yield* new RuleTrees().compile(yield* reading(), true);
    this.#expressions ??= { tree };
  }

  /** The violations of a whole object; on an update, those that the update adds. Long checks may be postponed. */
  check(
    value: CheckContext['root'],
    { isDivided, old, names, postponed }: CheckedWith,
  ): readonly FieldError[] {
    const schema = this.#schema();
    this.#embedded ??= new EmbeddedRules(names);
    if (isDivided === true && hasManyParts(value)) {
      postponed?.push(this.#checkInPieces(value, old, this.#embedded));
      return none;
    }
    let errors: readonly FieldError[];
    try {
      errors = this.#checkValue(value, old, schema);
    } catch (error) {
      return [tooMuchWork(error)];
    }
    errors = [...errors, ...this.#embedded.check(value, schema), ...this.#checkLists(value, old, schema)];
    return [...errors, ...errorsOf(this.#checkRules({ value, old }, errors), postponed)];
  }

  /** Most objects are valid: paths, and what an update changes, matter only where something is wrong. */
  #checkValue(
    value: CheckContext['root'],
    old: CheckContext['old'],
    schema: StructuralSchema,
  ): readonly FieldError[] {
    this.#test ??= new ValueTest(schema);
    if (this.#test.holds(value, budgetOf(MAX_STEPS))) return none;
    this.#full ??= compilePart(schema);
    const walk = new RuleWalk(budgetOf(MAX_STEPS));
    this.#full.visit(value, old ?? noPast, walk);
    return walk.errors();
  }

  /** Like `check`, of an object with many parts. */
  *#checkInPieces(
    value: CheckContext['root'],
    old: CheckContext['old'],
    embedded: EmbeddedRules,
  ): Work<readonly FieldError[]> {
    const schema = this.#schema();
    const pace = new Pace();
    const errors: FieldError[] = [];
    try {
      errors.push(...(yield* this.#checkValueInPieces({ value, old }, schema, pace)));
    } catch (error) {
      return [tooMuchWork(error)];
    }
    errors.push(...(yield* embedded.inPieces(value, schema, pace)));
    errors.push(...(yield* this.#checkListsInPieces({ value, old }, schema, pace)));
    const rules = this.#checkRules({ value, old }, errors);
    errors.push(...(yield* rules));
    return errors.slice(0, MAX_ERRORS);
  }

  /** Like `checkValue`, in pieces. */
  *#checkValueInPieces(
    { old, value }: RuledValue,
    schema: StructuralSchema,
    pace: Pace,
  ): Work<readonly FieldError[]> {
    this.#test ??= new ValueTest(schema);
    if (yield* this.#test.holding(value, { budget: budgetOf(MAX_STEPS), pace })) return none;
    this.#full ??= compilePart(schema);
    const walk = new RuleWalk(budgetOf(MAX_STEPS), '', { pace });
    yield* this.#full.inPieces(value, old ?? noPast, walk);
    return walk.errors();
  }

  /** Like `checkLists`, in pieces. */
  *#checkListsInPieces(
    { old, value }: RuledValue,
    schema: StructuralSchema,
    pace: Pace,
  ): Work<readonly FieldError[]> {
    const errors = yield* this.#lists.inPieces(value, schema, pace);
    if (errors.length === 0 || old === undefined) return errors;
    return (yield* this.#lists.inPieces(old, schema, pace)).length > 0 ? none : errors;
  }

  /** Expressions rely on the types and sizes of values: they are evaluated when those are right. */
  *#checkRules(object: RuledValue, errors: readonly FieldError[]): Work<readonly FieldError[]> {
    this.#expressions ??= { tree: new RuleTrees().of(this.#schema(), true) };
    const { tree } = this.#expressions;
    if (tree === undefined) return none;
    if (errors.some(({ type }) => blocking.has(type))) return [fieldError.invalid('<nil>', null, unchecked)];
    return yield* evaluateRules(tree, object);
  }

  /** Items that are repeated are allowed where the old object had some. */
  #checkLists(
    value: CheckContext['root'],
    old: CheckContext['old'],
    schema: StructuralSchema,
  ): readonly FieldError[] {
    const errors = this.#lists.check(value, schema);
    return errors.length > 0 && old !== undefined && this.#lists.check(old, schema).length > 0 ? [] : errors;
  }
}

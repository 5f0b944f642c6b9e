import { type FieldError, fieldError } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { BudgetError, budgetOf } from '../pattern/budget.ts';
import type { CheckContext } from '../schema.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { noPast } from './correlation.ts';
import { EmbeddedRules } from './embedded-rules.ts';
import { ListRules } from './list-rules.ts';
import { ValueTest } from './quick/index.ts';
import { RuleWalk, type Visit } from './rule-walk.ts';
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

type CheckedWith = Pick<CheckContext, 'old' | 'names' | 'postponed'>;

/** Checks values by one structural schema, which is compiled on first use. */
export class StructuralValidator {
  readonly #schema: LazyStructural;
  #test: ValueTest | undefined;
  #visit: Visit | undefined;
  readonly #lists = new ListRules();
  #embedded: EmbeddedRules | undefined;
  #rules: { readonly tree: RuleTree | undefined } | undefined;

  constructor(schema: LazyStructural) {
    this.#schema = schema;
  }

  /** Reads the schema and compiles its rules in pieces; undefined when that is done. */
  preparation(reading: () => Work<StructuralSchema>): Work<void> | undefined {
    return this.#rules === undefined ? this.#prepare(reading) : undefined;
  }

  *#prepare(reading: () => Work<StructuralSchema>): Work<void> {
    const tree = yield* new RuleTrees().compile(yield* reading(), true);
    this.#rules ??= { tree };
  }

  /** The violations of a whole object; on an update those that it brings. Expressions that take long may be postponed. */
  check(value: CheckContext['root'], { old, names, postponed }: CheckedWith): readonly FieldError[] {
    const schema = this.#schema();
    this.#embedded ??= new EmbeddedRules(names);
    let errors: readonly FieldError[];
    try {
      errors = this.#checkValue(value, old, schema);
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      return [fieldError.forbidden('', 'the object takes too much work to check against its schema')];
    }
    errors = [...errors, ...this.#embedded.check(value, schema), ...this.#checkLists(value, old, schema)];
    return [...errors, ...this.#checkRules({ value, old }, errors, postponed)];
  }

  /** Most objects are valid: paths, and what an update changes, matter only where something is wrong. */
  #checkValue(
    value: CheckContext['root'],
    old: CheckContext['old'],
    schema: StructuralSchema,
  ): readonly FieldError[] {
    this.#test ??= new ValueTest(schema);
    if (this.#test.holds(value, budgetOf(MAX_STEPS))) return none;
    this.#visit ??= compilePart(schema);
    const walk = new RuleWalk(budgetOf(MAX_STEPS));
    this.#visit(value, old ?? noPast, walk);
    return walk.errors();
  }

  /** Expressions rely on the types and sizes of values: they are evaluated when those are right. */
  #checkRules(
    object: RuledValue,
    errors: readonly FieldError[],
    postponed: CheckContext['postponed'],
  ): readonly FieldError[] {
    this.#rules ??= { tree: new RuleTrees().of(this.#schema(), true) };
    const { tree } = this.#rules;
    if (tree === undefined) return none;
    if (errors.some(({ type }) => blocking.has(type))) return [fieldError.invalid('<nil>', null, unchecked)];
    return errorsOf(evaluateRules(tree, object), postponed);
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

import { OBJECT_COST_LIMIT } from '@orch/cel';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import type { Codec } from '../codec.ts';
import type { Budget } from '../pattern/budget.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { noPast } from './correlation.ts';
import { EmbeddedRules } from './embedded-rules.ts';
import { RuleWalk } from './rule-walk.ts';
import { type CostBudget, evaluateRules, type RuleCompiler, RuleTrees } from './rules/index.ts';
import { compilePart } from './value-rules.ts';

export interface ValueValidatorOptions {
  readonly names: Names;
  /** Codec of metadata, for that of embedded objects. */
  readonly metadata: Codec;
  /** Steps for all values together; a BudgetError is thrown when they are used up. */
  readonly budget: Budget;
  /** Compiles expressions; without it they are not evaluated. */
  readonly expressions: RuleCompiler | undefined;
}

/** A value that is not part of an object, such as a default. */
export interface PlacedValue {
  readonly value: unknown;
  readonly schema: StructuralSchema;
  /** Field of the value in errors. */
  readonly path: string;
}

/** Checks values by parts of one structural schema. A violation in one stage keeps later stages from running. */
export class ValueValidator {
  readonly #embedded: EmbeddedRules;
  readonly #metadata: Codec;
  readonly #budget: Budget;
  readonly #rules: RuleTrees | undefined;
  readonly #cost: CostBudget = { left: OBJECT_COST_LIMIT };

  constructor({ budget, expressions, metadata, names }: ValueValidatorOptions) {
    this.#embedded = new EmbeddedRules(names);
    this.#metadata = metadata;
    this.#budget = budget;
    this.#rules = expressions === undefined ? undefined : new RuleTrees(expressions);
  }

  /** The violations of embedded objects: types of their fields, then names and other rules. */
  embedded(placed: PlacedValue): readonly FieldError[] {
    const mistyped = this.#embedded.walk(placed, (object, path) => this.#mistypedFields(object, path));
    return mistyped.length > 0 ? mistyped : this.#embedded.check(placed.value, placed.schema, placed.path);
  }

  /** The violations of the schema and, when there are none, of its expressions, which are evaluated in pieces. */
  *check(placed: PlacedValue): Work<readonly FieldError[]> {
    const { path, schema, value } = placed;
    // As other servers do: a default of an int-or-string that is neither is found when it is applied.
    const walk = new RuleWalk(this.#budget, path, { typesIntOrString: false });
    compilePart(schema).visit(value, noPast, walk);
    const errors = walk.errors();
    return errors.length > 0 ? errors : yield* this.#violatedRules(placed);
  }

  /** Rules apply to an unchanged value and to a new one: the second matters with `optionalOldSelf`. */
  *#violatedRules({ path, schema, value }: PlacedValue): Work<readonly FieldError[]> {
    const tree = this.#cost.left < 0 ? undefined : this.#rules?.of(schema);
    if (tree === undefined) return [];
    const { left } = this.#cost;
    const kept = yield* evaluateRules(tree, { value, old: value, path, ratchets: false }, this.#cost);
    if (kept.length > 0) return kept;
    const forNew = { left };
    const made = yield* evaluateRules(tree, { value, old: undefined, path }, forNew);
    this.#cost.left = Math.min(this.#cost.left, forNew.left);
    return made;
  }

  #mistypedFields(object: JsonObject, path: string): readonly FieldError[] {
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const texts = ['apiVersion', 'kind'].flatMap((name) => {
      const value = object[name];
      return value === undefined || typeof value === 'string'
        ? []
        : [fieldError.invalid(at(name), value, 'must be a string')];
    });
    const { metadata } = object;
    if (metadata === undefined || metadata === null) return texts;
    const problem = this.#metadata.decode(metadata).problems.find(({ kind }) => kind === 'type');
    return problem === undefined
      ? texts
      : [...texts, fieldError.invalid(at('metadata'), metadata, problem.message)];
  }
}

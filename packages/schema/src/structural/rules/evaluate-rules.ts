import { OBJECT_COST_LIMIT, type Outcome, PIECE } from '@orch/cel';
import { type FieldError, fieldError } from '@orch/machinery';
import { Pace, type Work } from '@orch/machinery/concurrency';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { StructuralSchema } from '../../structural-schema.ts';
import { MAX_ERRORS } from '../../walk/validation-walk.ts';
import { noPast, PastItems, pastField } from '../correlation.ts';
import type { CompiledRule } from './compiled-rule.ts';
import { Lineage } from './lineage.ts';
import { messageOf, violation } from './rule-messages.ts';
import type { RuleTree } from './rule-tree.ts';

const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** A value, its old value, and its path. */
interface Place {
  readonly value: unknown;
  readonly old: unknown;
  readonly path: string;
  readonly lineage: Lineage;
}

/** A value whose rules are evaluated. */
export interface RuledValue {
  readonly value: unknown;
  /** The value before an update; undefined where there was none. */
  readonly old: unknown;
  /** Field of the value; empty for a whole object. */
  readonly path?: string;
  /** Whether a rule that an unchanged part violates is not reported; true unless set. */
  readonly ratchets?: boolean;
}

/** The remaining cost of evaluations: negative when the limit was reached. */
export interface CostBudget {
  left: number;
}

/** Work of a rule beyond its evaluation, in its units. */
const RULE_WORK = 30;

/**
 * Evaluates the rules of an object, or of a part of one, in pieces of about half a millisecond. Their total cost is limited by the budget,
 * `OBJECT_COST_LIMIT` unless given; when that is reached the value is refused. A rule that an update leaves violated, since
 * it changes nothing that the rule is about, is not reported.
 */
export function* evaluateRules(
  tree: RuleTree,
  { old, path = '', ratchets = true, value }: RuledValue,
  budget: CostBudget = { left: OBJECT_COST_LIMIT },
): Work<readonly FieldError[]> {
  const evaluation = new RuleEvaluation(budget, ratchets);
  const past = old ?? noPast;
  yield* evaluation.visit(tree, { value, old: past, path, lineage: new Lineage(value, past, tree.schema) });
  return evaluation.errors;
}

class RuleEvaluation {
  readonly errors: FieldError[] = [];
  readonly #budget: CostBudget;
  readonly #ratchets: boolean;
  readonly #pace = new Pace();
  /** Cost and work of the current piece. */
  #spent = 0;

  constructor(budget: CostBudget, ratchets: boolean) {
    this.#budget = budget;
    this.#ratchets = ratchets;
  }

  get #isOver(): boolean {
    return this.#budget.left < 0 || this.errors.length >= MAX_ERRORS;
  }

  *visit(tree: RuleTree, place: Place): Work<void> {
    if (this.#isOver || place.value === null || place.value === undefined) return;
    for (const rule of tree.rules) {
      yield* this.#evaluate(rule, tree.schema, place);
      if (this.#isOver) return;
    }
    if (Array.isArray(place.value)) yield* this.#visitItems(tree, place.value, place);
    else if (isJsonObject(place.value)) yield* this.#visitFields(tree, place.value, place);
  }

  *#visitItems(
    { items, schema }: RuleTree,
    list: readonly unknown[],
    { lineage, old, path }: Place,
  ): Work<void> {
    if (items === undefined) return;
    const past = old === noPast ? undefined : yield* PastItems.finding(schema, old, this.#pace);
    for (const [i, value] of list.entries()) {
      const was = past === undefined ? noPast : past.of(value);
      const below = lineage.below(value, was, items.schema);
      yield* this.visit(items, { value, old: was, path: `${path}[${i}]`, lineage: below });
      if (this.#isOver) return;
    }
  }

  *#visitFields(tree: RuleTree, object: JsonObject, { lineage, old, path }: Place): Work<void> {
    if (tree.properties.size === 0 && tree.values === undefined) return;
    for (const name of Object.keys(object)) {
      const property = tree.properties.get(name);
      const field = property ?? tree.values;
      if (field === undefined) continue;
      const value = object[name];
      const was = old === noPast ? noPast : pastField(old, name);
      const step = property === undefined ? `[${name}]` : path === '' ? name : `.${name}`;
      const below = lineage.below(value, was, field.schema);
      yield* this.visit(field, { value, old: was, path: path + step, lineage: below });
      if (this.#isOver) return;
    }
  }

  *#evaluate(rule: CompiledRule, schema: StructuralSchema, place: Place): Work<void> {
    const { declared, program, usesOldSelf } = rule;
    const hasOld = place.old !== noPast && place.old !== null;
    // A transition rule does not apply without an old value, unless it declares the old value optional.
    if (usesOldSelf && !hasOld && declared.optionalOldSelf !== true) return;
    if (typeof program === 'string') {
      this.#report(place, schema, `rule compile error: compilation failed: ${program}`);
      return;
    }
    const begun = program.begin(valuesOf(place, usesOldSelf && hasOld));
    const outcome = this.#counted(begun.kind === 'unfinished' ? yield* begun.rest() : begun);
    if (this.#spent >= PIECE) yield* this.#nextPiece();
    if (outcome === undefined) {
      this.#report(place, schema, outOfBudget);
    } else if (outcome.kind !== 'value') {
      if (outcome.kind === 'limit') this.#budget.left = -1;
      this.#report(place, schema, messageOf(outcome, declared));
    } else if (outcome.value !== true) {
      yield* this.#violated(rule, schema, place);
    }
  }

  /** The outcome of an expression; undefined when the budget of the object is used up. */
  #counted(outcome: Outcome): Outcome | undefined {
    this.#spent += outcome.cost + outcome.work + RULE_WORK;
    this.#budget.left -= outcome.cost;
    return this.#budget.left < 0 ? undefined : outcome;
  }

  *#nextPiece(): Work<void> {
    this.#spent = 0;
    yield;
  }

  *#violated(rule: CompiledRule, schema: StructuralSchema, place: Place): Work<void> {
    if (this.#ratchets && !rule.usesOldSelf && (yield* place.lineage.comparing(this.#pace))) return;
    const detail = yield* this.#detailOf(rule, place);
    if (detail === undefined) {
      const why =
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
      this.#report(place, schema, why);
      return;
    }
    const path = (place.path + rule.fieldPath).replace(/^\./, '') || '<nil>';
    this.errors.push(violation(path, { declared: rule.declared, detail, schema, value: place.value }));
  }

  /** The message of a violation; undefined when its expression used up the budget. */
  *#detailOf({ declared, message }: CompiledRule, place: Place): Work<string | undefined> {
    if (message !== undefined && typeof message !== 'string') {
      const hasOld = place.old !== noPast && place.old !== null;
      const begun = message.begin(valuesOf(place, hasOld && message.uses('oldSelf')));
      const outcome = this.#counted(begun.kind === 'unfinished' ? yield* begun.rest() : begun);
      if (outcome === undefined || outcome.kind === 'limit') {
        this.#budget.left = -1;
        return undefined;
      }
      const text = outcome.kind === 'value' && typeof outcome.value === 'string' ? outcome.value.trim() : '';
      if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return text;
    }
    return declared.message?.trim() ?? `failed rule: ${declared.rule.trim()}`;
  }

  #report({ path }: Place, { type = '' }: StructuralSchema, problem: string): void {
    this.errors.push(fieldError.invalid(path || '<nil>', type, problem));
  }
}

const valuesOf = ({ old, value }: Place, hasOld: boolean): Readonly<Record<string, unknown>> =>
  hasOld ? { self: value, oldSelf: old } : { self: value };

/** Longer messages are replaced by the one that the rule declares. */
const MAX_MESSAGE_BYTES = 5 * 1024;

import type { FieldError } from '@orch/machinery';
import type { StructuralSchema, ValueRules } from '../structural-schema.ts';
import { noPast } from './correlation.ts';
import type { RuleWalk, Visit } from './rule-walk.ts';

type Compile = (schema: StructuralSchema) => Visit;

/** The result of validating a value by one alternative of several. */
interface Outcome {
  readonly isValid: boolean;
  readonly matches: number;
  readonly errors: readonly FieldError[];
}

/** Tries an alternative; the walk is unchanged afterwards. */
function attempt(visit: Visit, [value, old, walk]: Parameters<Visit>): Outcome {
  const mark = walk.mark();
  const matches = visit(value, old, walk);
  const isValid = walk.failures === mark.failures;
  return { isValid, matches, errors: walk.rollback(mark) };
}

const moreFitting = (best: Outcome | undefined, other: Outcome): Outcome =>
  best === undefined || other.matches > best.matches ? other : best;

function adopt(outcome: Outcome | undefined, walk: RuleWalk): number {
  for (const error of outcome?.errors ?? []) walk.report(error);
  return outcome?.matches ?? 0;
}

/** At least one alternative holds; otherwise the violations of the most fitting one are reported. */
const anyOf =
  (alternatives: readonly Visit[]): Visit =>
  (value, old, walk) => {
    let best: Outcome | undefined;
    for (const visit of alternatives) {
      const outcome = attempt(visit, [value, old, walk]);
      if (outcome.isValid) return outcome.matches;
      best = moreFitting(best, outcome);
    }
    walk.combination('must validate at least one schema (anyOf)');
    return adopt(best, walk);
  };

/** Exactly one alternative holds. */
const oneOf =
  (alternatives: readonly Visit[]): Visit =>
  (value, old, walk) => {
    const outcomes = alternatives.map((visit) => attempt(visit, [value, old, walk]));
    const valid = outcomes.filter(({ isValid }) => isValid);
    if (valid.length === 1) return valid[0]?.matches ?? 0;
    if (valid.length > 1) {
      walk.combination(
        `must validate one and only one schema (oneOf). Found ${valid.length} valid alternatives`,
      );
      return 0;
    }
    walk.combination('must validate one and only one schema (oneOf). Found none valid');
    return adopt(outcomes.reduce<Outcome | undefined>(moreFitting, undefined), walk);
  };

const allOf =
  (parts: readonly Visit[]): Visit =>
  (value, old, walk) => {
    let matches = 0;
    let failed = 0;
    for (const visit of parts) {
      const before = walk.failures;
      matches += visit(value, old, walk);
      if (walk.failures > before) failed++;
    }
    if (failed > 0)
      walk.combination(
        `must validate all the schemas (allOf)${failed === parts.length ? '. None validated' : ''}`,
      );
    return matches;
  };

const not =
  (visit: Visit): Visit =>
  (value, old, walk) => {
    if (attempt(visit, [value, old, walk]).isValid) walk.combination('must not validate the schema (not)');
    return 0;
  };

/** Compiles the combinations of schemas, in the order in which they are reported; undefined when there are none. */
export function compileCombinations(rules: ValueRules, compile: Compile): Visit | undefined {
  const lazily = (schema: StructuralSchema): Visit => onFirstUse(() => compile(schema));
  const visitsOf = (schemas: readonly StructuralSchema[]): readonly Visit[] => schemas.map(lazily);
  const visits = [
    ...(rules.anyOf === undefined ? [] : [anyOf(visitsOf(rules.anyOf))]),
    ...(rules.oneOf === undefined ? [] : [oneOf(visitsOf(rules.oneOf))]),
    ...(rules.allOf === undefined ? [] : [allOf(visitsOf(rules.allOf))]),
    ...(rules.not === undefined ? [] : [not(lazily(rules.not))]),
  ];
  if (visits.length === 0) return undefined;
  // Values within a combination are never compared with the old value: the combination holds or not.
  return (value, _old, walk) => visits.reduce((matches, visit) => matches + visit(value, noPast, walk), 0);
}

function onFirstUse(compile: () => Visit): Visit {
  let visit: Visit | undefined;
  return (value, old, walk) => {
    visit ??= compile();
    return visit(value, old, walk);
  };
}

import type { FieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import type { StructuralSchema, ValueRules } from '../structural-schema.ts';
import type { Rules, RuleWalk, VisitInPieces } from './rule-walk.ts';

type Compile = (schema: StructuralSchema) => Rules;
type Visited = Parameters<VisitInPieces>;

/** The result of validating a value by one alternative of several. */
interface Outcome {
  readonly isValid: boolean;
  readonly matches: number;
  readonly errors: readonly FieldError[];
}

function* applying({ inPieces, visit }: Rules, [value, old, walk]: Visited): Work<number> {
  return walk.divides(value) ? yield* inPieces(value, old, walk) : visit(value, old, walk);
}

/** Tries an alternative; the walk is unchanged afterwards. */
function* attempt(rules: Rules, visited: Visited): Work<Outcome> {
  const [, , walk] = visited;
  const mark = walk.mark();
  const matches = yield* applying(rules, visited);
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
const anyOf = (alternatives: readonly Rules[]): VisitInPieces =>
  function* (value, old, walk) {
    let best: Outcome | undefined;
    for (const rules of alternatives) {
      const outcome = yield* attempt(rules, [value, old, walk]);
      if (outcome.isValid) return outcome.matches;
      best = moreFitting(best, outcome);
    }
    walk.combination('must validate at least one schema (anyOf)');
    return adopt(best, walk);
  };

/** Exactly one alternative holds. */
const oneOf = (alternatives: readonly Rules[]): VisitInPieces =>
  function* (value, old, walk) {
    const outcomes: Outcome[] = [];
    for (const rules of alternatives) outcomes.push(yield* attempt(rules, [value, old, walk]));
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

const allOf = (parts: readonly Rules[]): VisitInPieces =>
  function* (value, old, walk) {
    let matches = 0;
    let failed = 0;
    for (const rules of parts) {
      const before = walk.failures;
      matches += yield* applying(rules, [value, old, walk]);
      if (walk.failures > before) failed++;
    }
    if (failed > 0)
      walk.combination(
        `must validate all the schemas (allOf)${failed === parts.length ? '. None validated' : ''}`,
      );
    return matches;
  };

const not = (rules: Rules): VisitInPieces =>
  function* (value, old, walk) {
    if ((yield* attempt(rules, [value, old, walk])).isValid)
      walk.combination('must not validate the schema (not)');
    return 0;
  };

/** Compiles the combinations of schemas, in the order in which they are reported; undefined when there are none. */
export function compileCombinations(rules: ValueRules, compile: Compile): VisitInPieces | undefined {
  const lazily = (schema: StructuralSchema): Rules => onFirstUse(() => compile(schema));
  const rulesOf = (schemas: readonly StructuralSchema[]): readonly Rules[] => schemas.map(lazily);
  const visits = [
    ...(rules.anyOf === undefined ? [] : [anyOf(rulesOf(rules.anyOf))]),
    ...(rules.oneOf === undefined ? [] : [oneOf(rulesOf(rules.oneOf))]),
    ...(rules.allOf === undefined ? [] : [allOf(rulesOf(rules.allOf))]),
    ...(rules.not === undefined ? [] : [not(lazily(rules.not))]),
  ];
  if (visits.length === 0) return undefined;
  return function* (value, old, walk) {
    let matches = 0;
    for (const visit of visits) matches += yield* visit(value, old, walk);
    return matches;
  };
}

function onFirstUse(compile: () => Rules): Rules {
  let rules: Rules | undefined;
  const compiled = (): Rules => {
    rules ??= compile();
    return rules;
  };
  return {
    visit: (value, old, walk) => compiled().visit(value, old, walk),
    inPieces: (value, old, walk) => compiled().inPieces(value, old, walk),
  };
}

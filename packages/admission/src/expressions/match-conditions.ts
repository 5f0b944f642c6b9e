import {
  type AdmissionEnvironments,
  CONDITIONS_COST_LIMIT,
  CostBudget,
  compileFor,
  dynDecl,
  type Environment,
  outOfBudget,
  Piecewise,
  type Program,
  types,
} from '@orch/cel';
import type { MatchCondition } from '@orch/kinds/admissionregistration';
import { type ExpressionFailure, failedExpression } from './expression-failure.ts';
import { runSteps } from './steps.ts';
import type { Turn } from './turn.ts';
import type { VersionVariables } from './write-variables.ts';

/**
 * Whether a webhook or a policy receives a write. A condition that is false decides, whatever errors others have. Errors are
 * subject to the failure policy: with `Ignore` the write is not received.
 */
export type ConditionsOutcome =
  | { readonly kind: 'matches' }
  | { readonly kind: 'excluded'; readonly by: string }
  | ({ readonly kind: 'failed' } & ExpressionFailure);

class Condition {
  readonly name: string;
  readonly expression: string;
  readonly #environment: () => Environment;
  #program: Program | string | undefined;

  constructor({ name = '', expression = '' }: MatchCondition, environment: () => Environment) {
    this.name = name;
    this.expression = expression;
    this.#environment = environment;
  }

  /** The compiled expression, or its error. */
  get program(): Program | string {
    this.#program ??= compileFor(this.expression, this.#environment(), [types.bool]);
    return this.#program;
  }
}

const matches: ConditionsOutcome = { kind: 'matches' };

/** The match conditions of a webhook or a policy: each is compiled when it is first evaluated. */
export class MatchConditions {
  readonly #conditions: readonly Condition[];

  /** Conditions of policies have the variable `namespaceObject` and, with parameters, `params`. */
  constructor(
    conditions: readonly MatchCondition[],
    environments: AdmissionEnvironments,
    {
      hasParams = false,
      hasNamespace = false,
    }: { readonly hasParams?: boolean; readonly hasNamespace?: boolean } = {},
  ) {
    const params = hasParams ? dynDecl() : undefined;
    const environment = () => environments.ofConditions({ params, hasAuthorizer: true, hasNamespace });
    this.#conditions = conditions.map((condition) => new Condition(condition, environment));
  }

  /** Synchronous unless a decision of the authorizer has to be awaited, or the evaluation takes long. */
  evaluate(
    variables: VersionVariables & { readonly params?: unknown; readonly namespaceObject?: unknown },
    turn: Turn,
  ): ConditionsOutcome | Promise<ConditionsOutcome> {
    if (this.#conditions.length === 0) return matches;
    const evaluation = new ConditionsEvaluation(this.#conditions, variables);
    return runSteps(() => evaluation.step(), turn);
  }
}

class ConditionsEvaluation {
  readonly #conditions: readonly Condition[];
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #budget = new CostBudget(CONDITIONS_COST_LIMIT);
  readonly #errors: ExpressionFailure[] = [];
  readonly #pieces = new Piecewise();
  #next = 0;

  constructor(conditions: readonly Condition[], variables: Readonly<Record<string, unknown>>) {
    this.#conditions = conditions;
    this.#variables = variables;
  }

  /** Evaluates a piece of the next condition; undefined while others follow. */
  step(): ConditionsOutcome | undefined {
    const condition = this.#conditions[this.#next];
    if (condition === undefined) return this.#result();
    const { expression, name, program } = condition;
    if (typeof program === 'string') {
      this.#errors.push({ message: program });
    } else {
      const outcome = this.#pieces.next(program, this.#variables);
      if (outcome === undefined) return undefined;
      if (!this.#budget.spend(outcome)) return { kind: 'failed', message: outOfBudget };
      if (outcome.kind !== 'value') this.#errors.push(failedExpression(expression, outcome.message));
      else if (outcome.value !== true) return { kind: 'excluded', by: name };
    }
    this.#next += 1;
    return undefined;
  }

  #result(): ConditionsOutcome {
    const [first, ...more] = this.#errors;
    if (first === undefined) return matches;
    if (more.length === 0) return { kind: 'failed', ...first };
    return {
      kind: 'failed',
      message: `[${this.#errors.map(({ message }) => message).join(', ')}]`,
      withoutValues: `[${this.#errors.map(({ message, withoutValues = message }) => withoutValues).join(', ')}]`,
    };
  }
}

import {
  AdmissionEnvironments,
  compileAny,
  compileFor,
  dynDecl,
  type Environment,
  type Program,
  types,
} from '@orch/cel';
import type { MatchCondition, Variable } from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { MAX_CONDITIONS } from '../match-condition.ts';

const environments = new AdmissionEnvironments();
/** The variable of CEL that holds the values of the variables of a policy. */
const VARIABLES = 'variables';

/** The environment of an expression, and the types of which its result must have one. */
export interface ExpressionKind {
  readonly environment: Environment;
  readonly results: readonly types.CelType[];
}

/** The errors of expressions in one environment, by the types of results and the text; undefined for a valid expression. */
type Checked = Map<string, string | undefined>;

/** Checks the expressions of one policy, or of the conditions of a webhook. Blank ones are reported elsewhere. */
export class ExpressionCheck {
  readonly #params: { readonly params?: ReturnType<typeof dynDecl> };
  readonly #hasNamespace: boolean;
  readonly #variables = new Map<string, types.CelType>();
  readonly #environments = new Map<string, Environment>();
  /** Many expressions of a large policy are equal. */
  readonly #checked = new WeakMap<Environment, Checked>();

  /** `hasNamespace`: conditions have the variable `namespaceObject`, as those of policies do. */
  constructor({ hasParams, hasNamespace }: { readonly hasParams: boolean; readonly hasNamespace: boolean }) {
    this.#params = hasParams ? { params: dynDecl() } : {};
    this.#hasNamespace = hasNamespace;
  }

  /** Variables can be used by later variables, and by all expressions that are checked afterwards. */
  *variables(path: string, variables: readonly Variable[] = []): Work<readonly FieldError[]> {
    const errors: FieldError[] = [];
    const checked = new Map<string, CheckedVariable>();
    for (const [i, { name = '', expression = '' }] of variables.entries()) {
      const known = checked.get(expression) ?? checkedVariable(expression, this.conditions);
      // What an expression means may depend on the variables before it.
      if (!expression.includes(VARIABLES)) checked.set(expression, known);
      this.#variables.set(name, known.type);
      errors.push(...problem(`${path}[${i}].expression`, expression, known.wrong));
      yield;
    }
    return errors;
  }

  /** Conditions beyond the limit are not compiled: the object is refused because of their number. */
  *matchConditions(path: string, conditions: readonly MatchCondition[] = []): Work<readonly FieldError[]> {
    const environment = this.#environment('matchConditions', () =>
      environments.ofConditions({
        ...this.#params,
        hasAuthorizer: true,
        hasNamespace: this.#hasNamespace,
      }),
    );
    const errors: FieldError[] = [];
    for (const [i, { expression = '' }] of conditions.slice(0, MAX_CONDITIONS).entries()) {
      errors.push(
        ...this.expression(`${path}[${i}].expression`, expression, { environment, results: [types.bool] }),
      );
      yield;
    }
    return errors;
  }

  /** Checks one expression, whose result must have one of the given types. */
  expression(
    path: string,
    expression: string,
    { environment, results }: ExpressionKind,
  ): readonly FieldError[] {
    if (expression.trim() === '') return [];
    const checked: Checked = this.#checked.get(environment) ?? new Map();
    this.#checked.set(environment, checked);
    const key = `${results.map(types.formatType).join()} ${expression}`;
    if (!checked.has(key)) checked.set(key, errorOf(compileFor(expression, environment, results)));
    return problem(path, expression, checked.get(key));
  }

  /** Variables of validations, annotations and variables. */
  get conditions(): Environment {
    return this.#environment('conditions', () =>
      environments.ofConditions({ ...this.#all, hasAuthorizer: true }),
    );
  }

  /** Variables of messages, which cannot call the authorizer. */
  get messages(): Environment {
    return this.#environment('messages', () => environments.ofConditions(this.#all));
  }

  get mutations(): Environment {
    return this.#environment('mutations', () =>
      environments.ofMutations({ ...this.#all, hasAuthorizer: true }),
    );
  }

  get #all() {
    return { ...this.#params, hasNamespace: true, variables: this.#variables };
  }

  #environment(name: string, make: () => Environment): Environment {
    const environment = this.#environments.get(name) ?? make();
    this.#environments.set(name, environment);
    return environment;
  }
}

/** The type of a variable, and the error of its expression. */
interface CheckedVariable {
  readonly type: types.CelType;
  readonly wrong: string | undefined;
}

function checkedVariable(expression: string, environment: Environment): CheckedVariable {
  const program = expression.trim() === '' ? '' : compileAny(expression, environment);
  return typeof program === 'string'
    ? { type: types.dyn, wrong: program }
    : { type: program.resultType, wrong: undefined };
}

const errorOf = (program: Program | string): string | undefined =>
  typeof program === 'string' ? program : undefined;

function problem(path: string, expression: string, wrong: string | undefined): readonly FieldError[] {
  if (wrong === undefined || expression.trim() === '') return [];
  return [fieldError.invalid(path, expression, wrong)];
}

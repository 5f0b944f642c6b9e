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

const environments = new AdmissionEnvironments();

/** Checks the expressions of one policy, or of the conditions of a webhook. Blank ones are reported elsewhere. */
export class ExpressionCheck {
  readonly #params: { readonly params?: ReturnType<typeof dynDecl> };
  readonly #hasNamespace: boolean;
  readonly #variables = new Map<string, types.CelType>();

  /** `hasNamespace`: conditions have the variable `namespaceObject`, as those of policies do. */
  constructor({ hasParams, hasNamespace }: { readonly hasParams: boolean; readonly hasNamespace: boolean }) {
    this.#params = hasParams ? { params: dynDecl() } : {};
    this.#hasNamespace = hasNamespace;
  }

  /** Variables can be used by later variables, and by all expressions that are checked afterwards. */
  variables(path: string, variables: readonly Variable[] = []): readonly FieldError[] {
    return variables.flatMap(({ name = '', expression = '' }, i) => {
      const program = compileAny(expression, this.conditions);
      this.#variables.set(name, typeof program === 'string' ? types.dyn : program.resultType);
      return problem(`${path}[${i}].expression`, expression, program);
    });
  }

  matchConditions(path: string, conditions: readonly MatchCondition[] = []): readonly FieldError[] {
    const environment = environments.ofConditions({
      ...this.#params,
      hasAuthorizer: true,
      hasNamespace: this.#hasNamespace,
    });
    return conditions.flatMap(({ expression = '' }, i) =>
      problem(`${path}[${i}].expression`, expression, compileFor(expression, environment, [types.bool])),
    );
  }

  /** Checks one expression, whose result must have one of the given types. */
  expression(
    path: string,
    expression: string,
    {
      environment,
      results,
    }: { readonly environment: Environment; readonly results: readonly types.CelType[] },
  ): readonly FieldError[] {
    return problem(path, expression, compileFor(expression, environment, results));
  }

  /** Variables of validations, annotations and variables. */
  get conditions(): Environment {
    return environments.ofConditions({ ...this.#all, hasAuthorizer: true });
  }

  /** Variables of messages, which cannot call the authorizer. */
  get messages(): Environment {
    return environments.ofConditions(this.#all);
  }

  get mutations(): Environment {
    return environments.ofMutations({ ...this.#all, hasAuthorizer: true });
  }

  get #all() {
    return { ...this.#params, hasNamespace: true, variables: this.#variables };
  }
}

function problem(path: string, expression: string, program: Program | string): readonly FieldError[] {
  if (typeof program !== 'string' || expression.trim() === '') return [];
  return [fieldError.invalid(path, expression, program)];
}

import {
  type AdmissionEnvironments,
  CelSyntaxError,
  compile,
  type DeclType,
  type Environment,
  types,
} from '@orch/cel';
import type { ExpressionScope, PolicyExpression } from './policy-expressions.ts';

/** Maximum length of the error message of one expression for one kind. */
const MAX_PROBLEM_LENGTH = 1024;

/** A kind against which expressions are checked. */
export interface CheckedKind {
  /** In the format of warnings: `apps/v1, Kind=Deployment`. */
  readonly name: string;
  readonly object: DeclType;
  /** Undefined for a policy without parameters. */
  readonly params: DeclType | undefined;
}

/** Checks the expressions of a policy one after another with the types of one kind. */
export class KindCheck {
  readonly #kind: CheckedKind;
  readonly #variables = new Map<string, types.CelType>();
  readonly #environments: Readonly<Record<ExpressionScope, Environment>>;

  constructor(kind: CheckedKind, environments: AdmissionEnvironments) {
    const { object, params } = kind;
    this.#kind = kind;
    const all = { object, params, hasNamespace: true, variables: this.#variables };
    this.#environments = {
      condition: environments.ofConditions({ ...all, hasAuthorizer: true }),
      message: environments.ofConditions(all),
      matchCondition: environments.ofConditions({ object, params, hasAuthorizer: true }),
    };
  }

  /** The reason why the expression cannot be used with the kind; undefined when it can. */
  problem({ source, scope, variable }: PolicyExpression): string | undefined {
    try {
      const { resultType } = compile(source, this.#environments[scope]);
      if (variable !== undefined) this.#variables.set(variable, resultType);
      return undefined;
    } catch (error) {
      if (!(error instanceof CelSyntaxError)) throw error;
      if (variable !== undefined) this.#variables.set(variable, types.dyn);
      return `${this.#kind.name}: ${shortened(error.message)}`;
    }
  }
}

const shortened = (text: string): string =>
  text.length <= MAX_PROBLEM_LENGTH ? text : `${text.slice(0, MAX_PROBLEM_LENGTH)}…`;

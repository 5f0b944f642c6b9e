import {
  type AdmissionEnvironments,
  type AdmissionVariables,
  compileAny,
  dynDecl,
  type Environment,
  type Program,
  types,
} from '@orch/cel';
import type { Variable } from '@orch/kinds/admissionregistration';

/** A variable of a policy: its expression, or its error. */
export interface CompiledVariable {
  readonly name: string;
  readonly program: Program | string;
}

/** Compiles the variables of a policy one after another, and provides the environments of its other expressions. */
export class VariablePrograms {
  readonly #environments: AdmissionEnvironments;
  readonly #params: Pick<AdmissionVariables, 'params'>;
  readonly #types = new Map<string, types.CelType>();
  readonly #compiled: CompiledVariable[] = [];

  constructor(environments: AdmissionEnvironments, { hasParams }: { readonly hasParams: boolean }) {
    this.#environments = environments;
    this.#params = hasParams ? { params: dynDecl() } : {};
  }

  get compiled(): readonly CompiledVariable[] {
    return this.#compiled;
  }

  /** A variable can be used by those added after it. */
  add({ name = '', expression = '' }: Variable): void {
    const program = compileAny(expression, this.conditions);
    this.#types.set(name, typeof program === 'string' ? types.dyn : program.resultType);
    this.#compiled.push({ name, program });
  }

  /** Environment of validations, annotations and variables. */
  get conditions(): Environment {
    return this.#environments.ofConditions({ ...this.#all, hasAuthorizer: true });
  }

  /** Environment of messages, which cannot use the authorizer. */
  get messages(): Environment {
    return this.#environments.ofConditions(this.#all);
  }

  get mutations(): Environment {
    return this.#environments.ofMutations({ ...this.#all, hasAuthorizer: true });
  }

  get #all(): AdmissionVariables {
    return { ...this.#params, hasNamespace: true, variables: this.#types };
  }
}

import type { AdmissionEnvironments, Program } from '@orch/cel';
import type { MatchCondition, Variable } from '@orch/kinds/admissionregistration';
import { MatchConditions } from '../expressions/index.ts';
import { type CompiledVariable, VariablePrograms } from './variable-programs.ts';

/** An expression, or its error. */
export interface CompiledExpression {
  readonly expression: string;
  readonly program: Program | string;
}

/** The common fields of policies of both kinds. */
interface PolicySpec {
  readonly paramKind?: object;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
}

/** The expressions of a policy, compiled one after another. */
export abstract class PolicyProgram {
  readonly conditions: MatchConditions;
  protected readonly variablePrograms: VariablePrograms;
  readonly #steps: (() => void)[];
  #done = 0;

  constructor(spec: PolicySpec, environments: AdmissionEnvironments) {
    const { paramKind, matchConditions = [], variables = [] } = spec;
    const hasParams = paramKind !== undefined;
    this.conditions = new MatchConditions(matchConditions, environments, { hasParams, hasNamespace: true });
    this.variablePrograms = new VariablePrograms(environments, { hasParams });
    this.#steps = variables.map((variable) => () => this.variablePrograms.add(variable));
  }

  get variables(): readonly CompiledVariable[] {
    return this.variablePrograms.compiled;
  }

  /** Compiles the next expression; true when all are compiled, else undefined. */
  compileNext(): true | undefined {
    const step = this.#steps[this.#done];
    if (step === undefined) return true;
    this.#done += 1;
    step();
    return undefined;
  }

  /** Expressions to compile after the variables. */
  protected compileLater(steps: readonly (() => void)[]): void {
    this.#steps.push(...steps);
  }
}

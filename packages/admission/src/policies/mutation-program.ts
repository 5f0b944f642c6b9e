import type { MutatingAdmissionPolicySpec, Mutation } from '@orch/apis/types/admissionregistration';
import {
  type AdmissionEnvironments,
  applyConfigurationType,
  compileFor,
  type Environment,
  jsonPatchType,
  types,
} from '@orch/cel';
import { MatchConditions } from '../expressions/index.ts';
import type { CompiledExpression } from './validation-program.ts';
import { type CompiledVariable, VariablePrograms } from './variable-programs.ts';

/** An expression that builds an apply configuration or a JSON patch. */
export interface CompiledMutation extends CompiledExpression {
  readonly patch: 'ApplyConfiguration' | 'JSONPatch';
}

/** The expressions of a mutating policy. */
export class MutationProgram {
  readonly conditions: MatchConditions;
  readonly mutations: CompiledMutation[] = [];
  readonly #variables: VariablePrograms;
  readonly #steps: readonly (() => void)[];
  #done = 0;
  #environment: Environment | undefined;

  constructor(spec: MutatingAdmissionPolicySpec, environments: AdmissionEnvironments) {
    const hasParams = spec.paramKind !== undefined;
    const { matchConditions = [], variables = [], mutations = [] } = spec;
    this.conditions = new MatchConditions(matchConditions, environments, { hasParams });
    this.#variables = new VariablePrograms(environments, { hasParams });
    this.#steps = [
      ...variables.map((variable) => () => this.#variables.add(variable)),
      ...mutations.map((mutation) => () => this.#addMutation(mutation)),
    ];
  }

  get variables(): readonly CompiledVariable[] {
    return this.#variables.compiled;
  }

  /** Compiles the next expression; true when all are compiled, else undefined. */
  compileNext(): true | undefined {
    const step = this.#steps[this.#done];
    if (step === undefined) return true;
    this.#done += 1;
    step();
    return undefined;
  }

  #addMutation({ patchType, applyConfiguration, jsonPatch }: Mutation): void {
    // Variables are compiled first.
    this.#environment ??= this.#variables.mutations;
    const patch = patchType === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
    const { expression = '' } = (patch === 'JSONPatch' ? jsonPatch : applyConfiguration) ?? {};
    const result = patch === 'JSONPatch' ? types.list(jsonPatchType) : applyConfigurationType;
    this.mutations.push({ patch, expression, program: compileFor(expression, this.#environment, [result]) });
  }
}

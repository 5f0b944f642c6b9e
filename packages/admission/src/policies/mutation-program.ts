import {
  type AdmissionEnvironments,
  applyConfigurationType,
  compileFor,
  type Environment,
  jsonPatchType,
  types,
} from '@orch/cel';
import type { MutatingAdmissionPolicySpec, Mutation } from '@orch/kinds/admissionregistration';
import { type CompiledExpression, PolicyProgram } from './policy-program.ts';

/** An expression that builds an apply configuration or a JSON patch. */
export interface CompiledMutation extends CompiledExpression {
  readonly patch: 'ApplyConfiguration' | 'JSONPatch';
}

/** The expressions of a mutating policy. */
export class MutationProgram extends PolicyProgram {
  readonly mutations: CompiledMutation[] = [];
  #environment: Environment | undefined;

  constructor(spec: MutatingAdmissionPolicySpec, environments: AdmissionEnvironments) {
    super(spec, environments);
    const { mutations = [] } = spec;
    this.compileLater(mutations.map((mutation) => () => this.#addMutation(mutation)));
  }

  #addMutation({ patchType, applyConfiguration, jsonPatch }: Mutation): void {
    // Variables are compiled first.
    this.#environment ??= this.variablePrograms.mutations;
    const patch = patchType === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
    const { expression = '' } = (patch === 'JSONPatch' ? jsonPatch : applyConfiguration) ?? {};
    const result = patch === 'JSONPatch' ? types.list(jsonPatchType) : applyConfigurationType;
    this.mutations.push({ patch, expression, program: compileFor(expression, this.#environment, [result]) });
  }
}

import type { ValidatingAdmissionPolicySpec, Validation } from '@orch/apis/types/admissionregistration';
import { type AdmissionEnvironments, compileFor, type Environment, type Program, types } from '@orch/cel';
import { MatchConditions } from '../expressions/index.ts';
import { type CompiledVariable, VariablePrograms } from './variable-programs.ts';

/** Reasons of refusals, with the codes of their answers. */
export const refusalCodes = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
} as const;

export type RefusalReason = keyof typeof refusalCodes;

/** An expression, or what is wrong with it. */
export interface CompiledExpression {
  readonly expression: string;
  readonly program: Program | string;
}

export interface CompiledValidation extends CompiledExpression {
  /** Undefined when the message is always the same. */
  readonly message: CompiledExpression | undefined;
  readonly defaultMessage: string;
  readonly reason: RefusalReason;
}

export interface CompiledAnnotation extends CompiledExpression {
  readonly key: string;
}

/** The expressions of a validating policy. */
export class ValidationProgram {
  readonly conditions: MatchConditions;
  readonly validations: CompiledValidation[] = [];
  readonly annotations: CompiledAnnotation[] = [];
  readonly #variables: VariablePrograms;
  readonly #steps: readonly (() => void)[];
  #done = 0;
  #environment: Environment | undefined;

  constructor(spec: ValidatingAdmissionPolicySpec, environments: AdmissionEnvironments) {
    const hasParams = spec.paramKind !== undefined;
    const { matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
    this.conditions = new MatchConditions(matchConditions, environments, { hasParams });
    this.#variables = new VariablePrograms(environments, { hasParams });
    this.#steps = [
      ...variables.map((variable) => () => this.#variables.add(variable)),
      ...validations.map((validation) => () => this.#addValidation(validation)),
      ...auditAnnotations.map(({ key = '', valueExpression = '' }) => () => {
        const program = compileFor(valueExpression, this.#conditions, [types.string, types.nullType]);
        this.annotations.push({ key, expression: valueExpression, program });
      }),
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

  #addValidation({ expression = '', message = '', messageExpression = '', reason }: Validation): void {
    this.validations.push({
      expression,
      program: compileFor(expression, this.#conditions, [types.bool]),
      message:
        messageExpression === ''
          ? undefined
          : {
              expression: messageExpression,
              program: compileFor(messageExpression, this.#variables.messages, [types.string]),
            },
      defaultMessage: message === '' ? `failed expression: ${expression.trim()}` : message.trim(),
      reason: reason !== undefined && reason in refusalCodes ? (reason as RefusalReason) : 'Invalid',
    });
  }

  /** Variables are compiled first. */
  get #conditions(): Environment {
    this.#environment ??= this.#variables.conditions;
    return this.#environment;
  }
}

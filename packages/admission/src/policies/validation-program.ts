import { type AdmissionEnvironments, compileFor, type Environment, types } from '@orch/cel';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '@orch/kinds/admissionregistration';
import { type CompiledExpression, PolicyProgram } from './policy-program.ts';

/** Reasons of refusals, with the codes of their answers. */
export const refusalCodes = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
} as const;

export type RefusalReason = keyof typeof refusalCodes;

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
export class ValidationProgram extends PolicyProgram {
  readonly validations: CompiledValidation[] = [];
  readonly annotations: CompiledAnnotation[] = [];
  #environment: Environment | undefined;

  constructor(spec: ValidatingAdmissionPolicySpec, environments: AdmissionEnvironments) {
    super(spec, environments);
    const { validations = [], auditAnnotations = [] } = spec;
    this.compileLater([
      ...validations.map((validation) => () => this.#addValidation(validation)),
      ...auditAnnotations.map((annotation) => () => this.#addAnnotation(annotation)),
    ]);
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
              program: compileFor(messageExpression, this.variablePrograms.messages, [types.string]),
            },
      defaultMessage: message === '' ? `failed expression: ${expression.trim()}` : message.trim(),
      reason: reason !== undefined && reason in refusalCodes ? (reason as RefusalReason) : 'Invalid',
    });
  }

  #addAnnotation({ key = '', valueExpression = '' }: AuditAnnotation): void {
    const program = compileFor(valueExpression, this.#conditions, [types.string, types.nullType]);
    this.annotations.push({ key, expression: valueExpression, program });
  }

  /** Complete when the variables are compiled. */
  get #conditions(): Environment {
    this.#environment ??= this.variablePrograms.conditions;
    return this.#environment;
  }
}

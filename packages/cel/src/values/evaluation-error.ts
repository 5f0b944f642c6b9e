/**
 * The reason why an evaluation stops. Not a subclass of Error: a rule may cause (and absorb) one for every element of
 * a list, and a stack trace costs more than the evaluation of the element.
 */
export class EvaluationError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** The cost limit was reached; unlike other errors, logical operators do not absorb it. */
export class CostLimitError extends EvaluationError {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

export const noSuchOverload = (): EvaluationError => new EvaluationError('no such overload');
export const overflow = (type: string): EvaluationError => new EvaluationError(`${type} overflow`);

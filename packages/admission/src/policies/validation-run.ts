import type { Value } from '@orch/cel';
import type { Clock } from '@orch/machinery';
import type { ExpressionFailure, Turn, VersionVariables } from '../expressions/index.ts';
import { runSteps } from '../expressions/index.ts';
import { type ErrorType, type Evaluated, Evaluator } from './evaluator.ts';
import type { CompiledValidation, RefusalReason, ValidationProgram } from './validation-program.ts';

/** Maximum length of a message from an expression; a longer one is ignored. */
const MAX_MESSAGE_BYTES = 5 * 1024;

/** Maximum length of the value of an audit annotation; a longer one is truncated. */
const MAX_ANNOTATION_BYTES = 10 * 1024;

/** A validation that failed, or could not be evaluated. */
export interface ValidationFailure extends ExpressionFailure {
  /** Undefined for errors. */
  readonly reason: RefusalReason | undefined;
  /** Index of the validation in the policy. */
  readonly index: number;
  readonly error: ErrorType;
  readonly seconds: number;
}

/** An audit annotation, or the reason why it has no value. */
export type AnnotationResult =
  | { readonly key: string; readonly value: string }
  | { readonly key: string; readonly failure: ValidationFailure };

/** The decision of a policy on a write with one object of parameters. */
export interface PolicyResult {
  readonly failures: readonly ValidationFailure[];
  readonly annotations: readonly AnnotationResult[];
}

/** Values of all variables of the expressions of a policy. */
export interface PolicyVariables extends VersionVariables {
  readonly params: unknown;
  readonly namespaceObject: unknown;
}

export interface RunParts {
  readonly turn: Turn;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Evaluates a policy, which is compiled on first use. Other work gets a turn between two expressions. */
export async function runValidations(
  program: ValidationProgram,
  variables: PolicyVariables,
  { turn, clock }: RunParts,
): Promise<PolicyResult> {
  await runSteps(() => program.compileNext(), turn);
  const conditions = await program.conditions.evaluate(variables, turn);
  if (conditions.kind === 'excluded') return { failures: [], annotations: [] };
  if (conditions.kind === 'failed') {
    const { kind: _kind, ...why } = conditions;
    const failure = { ...why, reason: undefined, index: 0, error: 'invalid_error', seconds: 0 } as const;
    return { failures: [failure], annotations: [] };
  }
  const run = new ValidationRun(program, new Evaluator(program.variables, { ...variables }, turn), clock);
  const failures = await runSteps(() => run.validate(), turn);
  if (failures.at(-1)?.error === 'out_of_budget') return { failures, annotations: [] };
  if (program.annotations.length === 0) return { failures, annotations: [] };
  return { failures, annotations: await runSteps(() => run.annotate(), turn) };
}

class ValidationRun {
  readonly #program: ValidationProgram;
  readonly #evaluator: Evaluator;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #failures: ValidationFailure[] = [];
  readonly #annotations: AnnotationResult[] = [];
  #next = 0;
  #nextAnnotation = 0;
  /** The failed validation whose message is evaluated. */
  #unmet: CompiledValidation | undefined;
  /** Start of the current expression; undefined between two. */
  #began: number | undefined;

  constructor(program: ValidationProgram, evaluator: Evaluator, clock: Pick<Clock, 'monotonic'>) {
    this.#program = program;
    this.#evaluator = evaluator;
    this.#clock = clock;
  }

  /** Evaluates the next validation or message; undefined while others follow. */
  validate(): readonly ValidationFailure[] | undefined {
    if (this.#unmet !== undefined) return this.#explain(this.#unmet);
    const validation = this.#program.validations[this.#next];
    if (validation === undefined) return this.#failures;
    this.#began ??= this.#clock.monotonic();
    const result = this.#evaluator.evaluate(validation.program, validation.expression);
    if (result === undefined) return undefined;
    if (result.kind === 'exhausted') return [this.#failure(result)];
    if (result.kind === 'error') return this.#add(this.#failure(result));
    if (result.value === true) return this.#add(undefined);
    this.#unmet = validation;
    return undefined;
  }

  #explain({
    message,
    defaultMessage,
    reason,
  }: CompiledValidation): readonly ValidationFailure[] | undefined {
    const result =
      message === undefined ? noMessage : this.#evaluator.evaluate(message.program, message.expression);
    if (result === undefined) return undefined;
    this.#unmet = undefined;
    if (result.kind === 'exhausted')
      return this.#add(this.#failure({ ...result, message: `failed messageExpression: ${result.message}` }));
    const text = result.kind === 'value' ? messageOf(result.value) : undefined;
    return this.#add({ ...this.#failure({ message: text ?? defaultMessage, error: 'no_error' }), reason });
  }

  #add(failure: ValidationFailure | undefined): undefined {
    this.#began = undefined;
    if (failure !== undefined) this.#failures.push(failure);
    this.#next += 1;
    return undefined;
  }

  #failure({
    message,
    withoutValues,
    error,
  }: ExpressionFailure & { readonly error: ErrorType }): ValidationFailure {
    const now = this.#clock.monotonic();
    const seconds = (now - (this.#began ?? now)) / 1000;
    const why = withoutValues === undefined ? { message } : { message, withoutValues };
    return { ...why, reason: undefined, index: this.#next, error, seconds };
  }

  /** Evaluates the next annotation; undefined while others follow. */
  annotate(): readonly AnnotationResult[] | undefined {
    if (this.#nextAnnotation === 0) this.#evaluator.renewBudget();
    const annotation = this.#program.annotations[this.#nextAnnotation];
    if (annotation === undefined) return this.#annotations;
    this.#began ??= this.#clock.monotonic();
    const result = this.#evaluator.evaluate(annotation.program, annotation.expression);
    if (result === undefined) return undefined;
    const { key } = annotation;
    if (result.kind === 'exhausted') return [{ key, failure: this.#failure(result) }];
    if (result.kind === 'error') this.#annotations.push({ key, failure: this.#failure(result) });
    else if (typeof result.value === 'string') this.#annotate(key, result.value.trim());
    this.#nextAnnotation += 1;
    this.#began = undefined;
    return undefined;
  }

  #annotate(key: string, value: string): void {
    if (value === '') return;
    const bytes = Buffer.from(value);
    const text = bytes.length <= MAX_ANNOTATION_BYTES ? value : cutOff(bytes);
    this.#annotations.push({ key, value: text });
  }
}

const noMessage: Evaluated = { kind: 'value', value: '' };

/** A message that does not fit into one line is ignored. */
function messageOf(value: Value): string | undefined {
  if (typeof value !== 'string' || Buffer.byteLength(value) > MAX_MESSAGE_BYTES) return undefined;
  const text = value.trim();
  return text === '' || text.includes('\n') ? undefined : text;
}

/** The beginning of a string, without a trailing half of a surrogate pair. */
const cutOff = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes.subarray(0, MAX_ANNOTATION_BYTES), { stream: true });

import type { Names } from '@orch/machinery';
import { messageFor } from '../expressions/index.ts';
import type { AdmissionAttributes } from '../types.ts';
import type { ValidatingBinding, ValidatingPolicy } from './definitions.ts';
import type { CheckedPolicy, EnforcementAction } from './policy-metrics.ts';
import { policyRefusal } from './policy-refusal.ts';
import type { RefusalReason } from './validation-program.ts';
import type { AnnotationResult, PolicyResult, ValidationFailure } from './validation-run.ts';

export interface ReportParts {
  readonly names: Names;
  readonly observe: (checked: CheckedPolicy) => void;
}

/** A policy in effect by a binding. */
interface InEffect {
  readonly policy: ValidatingPolicy;
  readonly binding?: ValidatingBinding;
}

/** An entry of the audit annotation about failed validations. */
interface AuditedFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

interface Denial extends InEffect {
  readonly message: string;
  readonly reason: RefusalReason | undefined;
}

/** Collects the decisions of policies on one write: warnings, audit annotations and the refusal. */
export class ValidationReport {
  readonly #parts: ReportParts;
  readonly #write: AdmissionAttributes;
  /** Values by their keys. */
  readonly #annotations = new Map<string, Set<string>>();
  readonly #audited: AuditedFailure[] = [];
  /** The first policy that refuses the write. */
  #denial: Denial | undefined;

  constructor(parts: ReportParts, write: AdmissionAttributes) {
    this.#parts = parts;
    this.#write = write;
  }

  /** A policy or a binding that cannot be used for the write. */
  unusable(effect: InEffect, why: string): void {
    if (!effect.policy.isFailClosed) return;
    const what = effect.binding === undefined ? 'policy' : 'binding';
    this.#denial ??= { ...effect, message: `failed to configure ${what}: ${why}`, reason: undefined };
  }

  add(effect: Required<InEffect>, { failures, annotations }: PolicyResult): void {
    for (const failure of failures) this.#failure(effect, failure);
    for (const annotation of annotations) this.#annotation(effect, annotation);
  }

  /** Adds the annotations to the write. Throws the `ApiError` of the refusal. */
  finish(): void {
    const { report } = this.#write;
    const { names } = this.#parts;
    for (const [key, values] of this.#annotations) report.annotate(key, [...values].join(', '));
    if (this.#audited.length > 0)
      report.annotate(names.auditAnnotations.policyFailure, JSON.stringify(this.#audited));
    if (this.#denial === undefined) return;
    const { policy, binding, message, reason } = this.#denial;
    throw policyRefusal(this.#write, names, {
      kind: 'ValidatingAdmissionPolicy',
      policy: policy.name,
      binding: binding?.name,
      message,
      reason,
    });
  }

  #failure(effect: Required<InEffect>, failure: ValidationFailure): void {
    const { policy, binding } = effect;
    const { error, seconds, reason } = failure;
    const message = messageFor(this.#write, failure);
    const isIgnored = error !== 'no_error' && !policy.isFailClosed;
    const actions = isIgnored ? ignored : binding.actions;
    for (const action of actions) {
      const done = enforcementOf(action);
      this.#parts.observe({ policy: policy.name, binding: binding.name, error, action: done, seconds });
      if (done === 'deny') this.#denial ??= { ...effect, message, reason };
      else if (done === 'warn') this.#warn(effect, message);
      else if (done === 'audit') this.#audit(effect, { message, index: failure.index });
    }
  }

  #warn({ policy, binding }: Required<InEffect>, message: string): void {
    const where = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
    this.#write.report.warn(`Validation failed for ${where}: ${message}`);
  }

  #audit(
    { policy, binding }: Required<InEffect>,
    { message, index }: Pick<ValidationFailure, 'message' | 'index'>,
  ): void {
    this.#audited.push({
      message,
      policy: policy.name,
      binding: binding.name,
      expressionIndex: index,
      validationActions: [...binding.actions],
    });
  }

  #annotation(effect: Required<InEffect>, annotation: AnnotationResult): void {
    const { policy } = effect;
    if ('value' in annotation) {
      const key = `${policy.name}/${annotation.key}`;
      this.#annotations.set(key, (this.#annotations.get(key) ?? new Set()).add(annotation.value));
    } else if (policy.isFailClosed) {
      // An incomplete audit record must be noticed, regardless of the actions of the binding.
      const message = messageFor(this.#write, annotation.failure);
      this.#denial ??= { ...effect, message, reason: undefined };
    }
  }
}

const ignored: ReadonlySet<string> = new Set(['Allow']);

const enforcementOf = (action: string): EnforcementAction => {
  switch (action) {
    case 'Allow':
      return 'allow';
    case 'Warn':
      return 'warn';
    case 'Audit':
      return 'audit';
    default:
      return 'deny';
  }
};

import type { Names } from '@orch/machinery';
import type { AdmissionAttributes, Refusal } from '../types.ts';
import { checkedPod, type PodParts } from './checks/check.ts';
import { detailsText, type Evaluator } from './evaluator.ts';
import { type LevelVersion, levelText } from './levels.ts';
import type { Mode, Policy } from './namespace-policy.ts';
import type { PodSecurityMetrics } from './pod-security-metrics.ts';

export interface PodReviewParts {
  readonly names: Names;
  readonly evaluator: Evaluator;
  readonly metrics: PodSecurityMetrics;
}

/** The review of one pod, or of one template of pods, by the policy of its namespace. */
export class PodReview {
  readonly #write: AdmissionAttributes;
  readonly #policy: Policy;
  readonly #parts: PodReviewParts;
  /** What violates a level, by level and version: modes often have the same. */
  readonly #violations = new Map<string, string>();
  readonly #evaluate: (level: LevelVersion) => string;

  constructor(
    parts: PodReviewParts,
    write: AdmissionAttributes,
    { pod, policy }: { readonly pod: PodParts; readonly policy: Policy },
  ) {
    this.#parts = parts;
    this.#write = write;
    this.#policy = policy;
    const checked = checkedPod(pod, parts.names);
    this.#evaluate = (level) => detailsText(parts.evaluator.evaluate(level, checked));
  }

  /** Refuses what violates the enforced level. */
  enforce(): Refusal | undefined {
    const { podSecurityPolicy } = this.#parts.names.auditAnnotations;
    this.#write.report.annotate(podSecurityPolicy, levelText(this.#policy.enforce));
    const violation = this.#violationOf('enforce');
    if (violation === undefined) this.#count('allow', 'enforce');
    return violation === undefined ? undefined : `violates ${violation}`;
  }

  /** Adds what violates the audited level to the audit event. */
  audit(): void {
    const violation = this.#violationOf('audit');
    const { podSecurityViolations } = this.#parts.names.auditAnnotations;
    if (violation !== undefined)
      this.#write.report.annotate(podSecurityViolations, `would violate ${violation}`);
  }

  /** Warns about what violates the level for warnings. */
  warn(): void {
    const violation = this.#violationOf('warn');
    if (violation !== undefined) this.#write.report.warn(`would violate ${violation}`);
  }

  #violationOf(mode: Mode): string | undefined {
    const level = this.#policy[mode];
    const text = levelText(level);
    const details = this.#violations.get(text) ?? this.#evaluate(level);
    this.#violations.set(text, details);
    if (details === '') return undefined;
    this.#count('deny', mode);
    return `PodSecurity "${text}": ${details}`;
  }

  #count(decision: 'allow' | 'deny', mode: Mode): void {
    this.#parts.metrics.evaluated({ decision, mode, policy: this.#policy[mode] }, this.#write);
  }
}

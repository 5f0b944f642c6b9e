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
  /** The violations of a level, by level and version: modes often have the same. */
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

  /** Refuses violations of the enforced level. */
  enforce(): Refusal | undefined {
    annotatePolicy(this.#parts, this.#write, this.#policy);
    const violation = this.#violationOf('enforce');
    if (violation === undefined) countAllowed(this.#parts, this.#write, this.#policy);
    return violation === undefined ? undefined : `violates ${violation}`;
  }

  /** Adds violations of the audited level to the audit event. */
  audit(): void {
    const violation = this.#violationOf('audit');
    const { podSecurityViolations } = this.#parts.names.auditAnnotations;
    if (violation !== undefined)
      this.#write.report.annotate(podSecurityViolations, `would violate ${violation}`);
  }

  /** Warns about violations of the level for warnings. */
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
    this.#parts.metrics.evaluated({ decision: 'deny', mode, policy: level }, this.#write);
    return `PodSecurity "${text}": ${details}`;
  }
}

type RecordingParts = Pick<PodReviewParts, 'names' | 'metrics'>;

/** Admits a pod by a policy under which its fields do not matter: it is neither read nor parsed. */
export function admitPrivileged(
  parts: RecordingParts,
  write: AdmissionAttributes,
  policy: Policy,
): undefined {
  annotatePolicy(parts, write, policy);
  countAllowed(parts, write, policy);
}

function annotatePolicy({ names }: RecordingParts, { report }: AdmissionAttributes, policy: Policy): void {
  report.annotate(names.auditAnnotations.podSecurityPolicy, levelText(policy.enforce));
}

const countAllowed = (
  { metrics }: RecordingParts,
  write: AdmissionAttributes,
  { enforce: policy }: Policy,
): void => metrics.evaluated({ decision: 'allow', mode: 'enforce', policy }, write);

import { atLeast, type Release } from '@orch/apis';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { key } from '@orch/machinery/object-meta';
import {
  isStricter,
  LEVEL_RULE,
  type Level,
  type LevelVersion,
  levelText,
  parseLevel,
  parseVersion,
  sameLevel,
  VERSION_RULE,
} from './levels.ts';

/**
 * The treatment of pods that violate the level of a mode: they are refused, recorded in the audit log, or warned about.
 */
export const modes = ['enforce', 'audit', 'warn'] as const;

export type Mode = (typeof modes)[number];

export type Policy = Readonly<Record<Mode, LevelVersion>>;

/** A policy that refuses, audits and warns about nothing. */
export const privilegedPolicy: Policy = {
  enforce: { level: 'privileged', version: 'latest' },
  audit: { level: 'privileged', version: 'latest' },
  warn: { level: 'privileged', version: 'latest' },
};

/** The policy of a namespace, and the errors in its labels. */
export interface NamespacePolicy {
  readonly policy: Policy;
  readonly problems: readonly FieldError[];
}

type Labels = Readonly<Record<string, string>>;

const noLabels: Labels = {};

/** Keys of the labels of a mode. */
interface ModeLabels {
  readonly level: string;
  readonly version: string;
}

/** Levels that apply when a label has an invalid one. */
const FALLBACK: Readonly<Record<Mode, Level>> = {
  enforce: 'restricted',
  audit: 'privileged',
  warn: 'privileged',
};

/** The release from which violations of the enforced level cause warnings too, unless another level is set. */
const WARNS_BY_DEFAULT_SINCE: Release = '1.26';

/** Reads the policies of namespaces from their labels. */
export class PolicyReader {
  readonly #labels: Readonly<Record<Mode, ModeLabels>>;
  readonly #defaults: Policy;
  readonly #warnsByDefault: boolean;
  /** Policies by the labels of a namespace, which are the same object until it changes: reading them took 3 µs of every write. */
  readonly #known = new WeakMap<Labels, NamespacePolicy>();

  /** `defaults` is the policy of namespaces without labels. */
  constructor(defaults: Policy, { labels }: Names, release: Release) {
    this.#labels = {
      enforce: { level: labels.podSecurityEnforce, version: labels.podSecurityEnforceVersion },
      audit: { level: labels.podSecurityAudit, version: labels.podSecurityAuditVersion },
      warn: { level: labels.podSecurityWarn, version: labels.podSecurityWarnVersion },
    };
    this.#defaults = defaults;
    this.#warnsByDefault = atLeast(release, WARNS_BY_DEFAULT_SINCE);
  }

  /**
   * The policy is complete also when labels are invalid: `restricted` is enforced, nothing is audited or warned about, and
   * the version is `latest`.
   */
  read(labels = noLabels): NamespacePolicy {
    const known = this.#known.get(labels) ?? this.#read(labels);
    this.#known.set(labels, known);
    return known;
  }

  #read(labels: Labels): NamespacePolicy {
    const problems: FieldError[] = [];
    const of = (mode: Mode): LevelVersion => this.#modeOf(mode, labels, problems);
    const policy = { enforce: of('enforce'), audit: of('audit'), warn: of('warn') };
    return { policy: { ...policy, warn: this.#warnOf(policy, labels) }, problems };
  }

  #modeOf(mode: Mode, labels: Labels, problems: FieldError[]): LevelVersion {
    const { level, version } = this.#labels[mode];
    const defaults = this.#defaults[mode];
    const levelLabel = labelOf(labels, level);
    const versionLabel = labelOf(labels, version);
    const givenLevel = levelLabel === undefined ? defaults.level : parseLevel(levelLabel);
    const givenVersion = versionLabel === undefined ? defaults.version : parseVersion(versionLabel);
    if (givenLevel === undefined) problems.push(invalidLabel(level, levelLabel, LEVEL_RULE));
    if (givenVersion === undefined) problems.push(invalidLabel(version, versionLabel, VERSION_RULE));
    return { level: givenLevel ?? FALLBACK[mode], version: givenVersion ?? 'latest' };
  }

  #warnOf({ enforce, warn }: Policy, labels: Labels): LevelVersion {
    const isEnforced = parseLevel(labelOf(labels, this.#labels.enforce.level) ?? '') !== undefined;
    const isWarned = labelOf(labels, this.#labels.warn.level) !== undefined;
    if (!this.#warnsByDefault || !isEnforced || isWarned || !isStricter(enforce.level, warn.level))
      return warn;
    return labelOf(labels, this.#labels.warn.version) === undefined
      ? enforce
      : { ...warn, level: enforce.level };
  }

  /** A warning that the policy of an exempt namespace has no effect; undefined when it would have none anyway. */
  exemptionWarning(namespace: string, labels: Labels = {}): string | undefined {
    const { policy } = this.read(labels);
    const isDefault = modes.every((mode) => isEquivalent(policy[mode], this.#defaults[mode]));
    if (isPrivileged(policy) || isDefault) return undefined;
    const set = modes.filter((mode) => {
      const { level, version } = this.#labels[mode];
      const isLabelled = labelOf(labels, level) !== undefined || labelOf(labels, version) !== undefined;
      return isLabelled && policy[mode].level !== 'privileged';
    });
    const text = set.map((mode) => `${mode}=${levelText(policy[mode])}`).join(', ');
    return `namespace ${JSON.stringify(namespace)} is exempt from Pod Security, and the policy (${text}) will be ignored`;
  }
}

const labelOf = (labels: Labels, label: string): string | undefined =>
  Object.hasOwn(labels, label) ? labels[label] : undefined;

const invalidLabel = (label: string, value: string | undefined, rule: string): FieldError =>
  fieldError.invalid(key('metadata.labels', label), value, rule);

const isEquivalent = (a: LevelVersion, b: LevelVersion): boolean =>
  (a.level === 'privileged' && b.level === 'privileged') || sameLevel(a, b);

/** Reports whether pods are neither refused nor audited nor warned about. */
export const isPrivileged = (policy: Policy): boolean =>
  modes.every((mode) => policy[mode].level === 'privileged');

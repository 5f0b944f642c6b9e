import { atLeast, compareReleases, type Release } from '@orch/apis';
import type { Check, CheckedPod, Violation } from './checks/check.ts';
import { type StandardCheck, standards } from './checks/standards.ts';
import { type LevelVersion, levelText } from './levels.ts';

/** Evaluates pods against the Pod Security Standards as a release has them. */
export class Evaluator {
  readonly #release: Release;
  /** The checks of each level and version that was evaluated. */
  readonly #checks = new Map<string, readonly Check[]>();

  constructor(release: Release) {
    this.#release = release;
  }

  /** All violations, in order. Versions after the release are evaluated as the release itself. */
  evaluate({ level, version }: LevelVersion, pod: CheckedPod): readonly Violation[] {
    if (level === 'privileged') return [];
    const isKnown = version !== 'latest' && compareReleases(version, this.#release) < 0;
    const checks = this.#checksOf({ level, version: isKnown ? version : this.#release });
    return checks.flatMap((check) => check(pod) ?? []);
  }

  #checksOf(levelVersion: LevelVersion): readonly Check[] {
    const key = levelText(levelVersion);
    const known = this.#checks.get(key);
    if (known !== undefined) return known;
    const checks = checksAt(levelVersion);
    this.#checks.set(key, checks);
    return checks;
  }
}

function checksAt({ level, version }: LevelVersion): readonly Check[] {
  const applying = standards.filter((check) => check.level === 'baseline' || check.level === level);
  const present = applying.filter((check) => versionAt(check, version) !== undefined);
  const replaced = new Set(present.map(({ replaces }) => replaces));
  return present.filter(({ id }) => !replaced.has(id)).flatMap((check) => versionAt(check, version) ?? []);
}

const versionAt = ({ versions }: StandardCheck, version: Release): Check | undefined =>
  versions.findLast(({ since }) => atLeast(version, since))?.check;

/** `reason (detail), reason (detail)`. */
export const detailsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');

export const reasonsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(', ');

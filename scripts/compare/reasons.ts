import { isJsonObject } from '@orch/machinery/json';
import type { Difference } from './differences.ts';

/** Why differences are accepted; the pattern is a regular expression over `keyOf`. */
export interface Reason {
  readonly pattern: RegExp;
  readonly reason: string;
}

export interface Judgement {
  readonly unexplained: readonly Difference[];
  readonly explained: ReadonlyMap<Reason, readonly Difference[]>;
  /** Reasons that match no difference. */
  readonly unused: readonly Reason[];
}

/** The text that patterns are matched against. */
export const keyOf = ({ section, request, path }: Difference): string => `${section}: ${request}: ${path}`;

/** What is compared with: a running reference, one with all alpha and beta features, or published documents. */
export type Comparison = (typeof comparisons)[number];
const comparisons = ['running', 'alpha', 'published'] as const;

/**
 * Reads a file of reasons: a list of objects with `pattern` and `reason`, and with `since` and `until`, the first releases
 * with and again without the difference. Reasons that are `running`, `published` or `alpha` are only for these comparisons.
 * Returns those of a release. Throws for another form or an empty reason.
 */
export function readReasons(
  text: string,
  release: string,
  comparison: Comparison = 'running',
): readonly Reason[] {
  const decoded: unknown = JSON.parse(text);
  if (!Array.isArray(decoded)) throw new Error('the file of reasons must be a list');
  const minor = minorOf(release);
  return decoded
    .map(readReason)
    .flatMap(({ pattern, reason, since, until, only }) =>
      (only !== undefined && only !== comparison) ||
      minor < minorOf(since ?? '1.0') ||
      (until !== undefined && minor >= minorOf(until))
        ? []
        : [{ pattern: new RegExp(pattern), reason }],
    );
}

interface Entry {
  readonly pattern: string;
  readonly reason: string;
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly only: Comparison | undefined;
}

function readReason(entry: unknown): Entry {
  if (!isJsonObject(entry)) throw new Error('a reason must be an object');
  const { pattern, reason, since, until } = entry;
  if (typeof pattern !== 'string') throw new Error('the pattern of a reason must be a string');
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new Error(`the reason of ${JSON.stringify(pattern)} must be a non-empty string`);
  const only = comparisons.find((comparison) => entry[comparison] === true);
  return { pattern, reason, since: bound(since), until: bound(until), only };
}

function bound(release: unknown): string | undefined {
  if (release === undefined || (typeof release === 'string' && /^1\.\d+$/.test(release))) return release;
  throw new Error(`${JSON.stringify(release)} must be a release such as "1.24"`);
}

const minorOf = (release: string): number => Number(release.slice('1.'.length));

/** Assigns each difference to the first reason that matches it. A section that did not run needs none of its reasons. */
export function judge(
  differences: readonly Difference[],
  reasons: readonly Reason[],
  isComplete = true,
): Judgement {
  const assigned = Map.groupBy(differences, (difference) =>
    reasons.find(({ pattern }) => pattern.test(keyOf(difference))),
  );
  const unexplained = assigned.get(undefined) ?? [];
  assigned.delete(undefined);
  const matches = (reason: Reason): boolean =>
    differences.some((difference) => reason.pattern.test(keyOf(difference)));
  return {
    unexplained,
    explained: assigned as ReadonlyMap<Reason, readonly Difference[]>,
    unused: isComplete ? reasons.filter((reason) => !matches(reason)) : [],
  };
}

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

/** Reads a file of reasons: a JSON object from pattern to reason. Throws for another form or an empty reason. */
export function readReasons(text: string): readonly Reason[] {
  const decoded: unknown = JSON.parse(text);
  if (!isJsonObject(decoded)) throw new Error('the file of reasons must be an object from pattern to reason');
  return Object.entries(decoded).map(([pattern, reason]) => {
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new Error(`the reason of ${JSON.stringify(pattern)} must be a non-empty string`);
    return { pattern: new RegExp(pattern), reason };
  });
}

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

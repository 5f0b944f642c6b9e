import { isDeepStrictEqual } from 'node:util';
import type { ApiObject } from '@orch/machinery';
import { type Amounts, noAmounts, sameAmounts } from './amounts.ts';

/** The scopes of quotas that a pod is in. */
export interface PodScopes {
  readonly isTerminating: boolean;
  readonly isBestEffort: boolean;
  /** Empty for none. */
  readonly priorityClass: string;
  readonly hasCrossNamespaceAffinity: boolean;
}

/** The scope of quotas that a volume claim is in. */
export interface ClaimScopes {
  /** The VolumeAttributesClasses that it has, wants or is being changed to, sorted. */
  readonly attributesClasses: readonly string[];
}

/** The usage of one object in the quotas of its namespace. Depends on the object alone. */
export interface Measure {
  /** Usage as long as the object exists. */
  readonly always: Amounts;
  /** Additional usage before `liveUntilMs` (wall time); a pod that has ended has none. */
  readonly whileLive: Amounts;
  readonly liveUntilMs: number;
  /** Undefined for objects without scopes, so that quotas with scopes do not count them. */
  readonly scopes: PodScopes | ClaimScopes | undefined;
}

/** Counts the objects of one resource for quotas. */
export interface Evaluator {
  /** Group as served; empty for the core group. */
  readonly group: string;
  readonly resource: string;
  /** Reports whether a bound (a name in `spec.hard`) counts objects of this resource. */
  counts(name: string): boolean;
  measure(object: ApiObject): Measure;
  /**
   * The fields that a new object must specify under these bounds and does not: `limits.cpu for: a,b`. Undefined when
   * none is missing.
   */
  missing?(object: ApiObject, bounds: Iterable<string>): readonly string[];
}

/** The measure of objects that are only counted, or whose usage never changes. */
export const lasting = (always: Amounts): Measure => ({
  always,
  whileLive: noAmounts,
  liveUntilMs: Number.POSITIVE_INFINITY,
  scopes: undefined,
});

/** Quotas cannot tell the two from each other. */
export const sameMeasure = (a: Measure, b: Measure): boolean =>
  a === b ||
  (a.liveUntilMs === b.liveUntilMs &&
    sameScopes(a.scopes, b.scopes) &&
    sameAmounts(a.always, b.always) &&
    sameAmounts(a.whileLive, b.whileLive));

function sameScopes(a: Measure['scopes'], b: Measure['scopes']): boolean {
  if (a === undefined || b === undefined) return a === b;
  if ('attributesClasses' in a || 'attributesClasses' in b) return isDeepStrictEqual(a, b);
  return (
    a.isTerminating === b.isTerminating &&
    a.isBestEffort === b.isBestEffort &&
    a.priorityClass === b.priorityClass &&
    a.hasCrossNamespaceAffinity === b.hasCrossNamespaceAffinity
  );
}

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

/** The amounts that one object takes of the quotas of its namespace. Depends on the object alone. */
export interface Measure {
  /** Taken as long as the object exists. */
  readonly always: Amounts;
  /** Taken beside that, before `liveUntilMs` (wall time): never by a pod that has ended. */
  readonly whileLive: Amounts;
  readonly liveUntilMs: number;
  /** Undefined for what is in no scope, so that quotas with scopes do not count it. */
  readonly scopes: PodScopes | undefined;
}

/** Counts the objects of one resource for quotas. */
export interface Evaluator {
  /** Group as served; empty for the core group. */
  readonly group: string;
  readonly resource: string;
  /** Whether it computes the usage of its objects for a bound (a name in `spec.hard`). */
  counts(name: string): boolean;
  measure(object: ApiObject): Measure;
  /** The fields that a new object must specify under these bounds and does not: `limits.cpu for: a,b`. Nothing when absent. */
  missing?(object: ApiObject, bounds: Iterable<string>): readonly string[];
}

/** The measure of what is only counted, or takes the same all its life. */
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

function sameScopes(a: PodScopes | undefined, b: PodScopes | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.isTerminating === b.isTerminating &&
    a.isBestEffort === b.isBestEffort &&
    a.priorityClass === b.priorityClass &&
    a.hasCrossNamespaceAffinity === b.hasCrossNamespaceAffinity
  );
}

/** The result of an attempt to delete the content of a namespace. Resources are named `pods`, `deployments.apps`. */
export interface ContentReport {
  /**
   * Group versions that discovery could not read, and sources of kinds that cannot be listed, with the reason: the namespace may
   * contain objects of them.
   */
  readonly undiscovered: ReadonlyMap<string, string>;
  /** Invalid names of group versions. */
  readonly unreadable: readonly string[];
  /** Resources whose objects could not be deleted or counted, with the reason. */
  readonly failures: ReadonlyMap<string, string>;
  /** Numbers of remaining objects. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Finalizers of remaining objects, with the number of objects that have them. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The longest grace period of remaining objects. */
  readonly graceSeconds: number;
}

/** Reports whether no objects remain, certainly: the finalizer may be removed. */
export const isEmpty = (report: ContentReport): boolean =>
  report.undiscovered.size === 0 &&
  report.unreadable.length === 0 &&
  report.failures.size === 0 &&
  report.remaining.size === 0;

const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/**
 * The delay before the next examination. Pods take about half of their grace period; other objects are deleted soon, or
 * wait for a finalizer and are examined at growing intervals.
 */
export function waitMs({ graceSeconds }: ContentReport, sinceMs: number): number {
  const grace = graceSeconds === 0 ? 0 : (graceSeconds / 2 + 1) * 1000;
  return Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, grace, sinceMs / 4));
}

/** The reasons why the namespace still exists, on one line for the log. */
export function summary(report: ContentReport): string {
  const parts = [
    ['undiscovered', report.undiscovered.size],
    ['unreadable', report.unreadable.length],
    ['failed', report.failures.size],
    ['remaining', report.remaining.size],
  ] as const;
  return parts.flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ');
}

/** What a pass over the content of a namespace has come to. Resources are `pods`, `deployments.apps`. */
export interface ContentReport {
  /** Parts of discovery that could not be read, with the reason: what is in them may have content here. */
  readonly undiscovered: ReadonlyMap<string, string>;
  /** Names of versions of discovery that cannot be understood. */
  readonly unreadable: readonly string[];
  /** Resources whose content could not be deleted, or counted, with the reason. */
  readonly failures: ReadonlyMap<string, string>;
  /** Objects that are still there. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Finalizers of those, with the number of objects that have them. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** The longest grace period among them. */
  readonly graceSeconds: number;
}

/** Nothing is left, and nothing can be hidden: the namespace may go. */
export const isEmpty = (report: ContentReport): boolean =>
  report.undiscovered.size === 0 &&
  report.unreadable.length === 0 &&
  report.failures.size === 0 &&
  report.remaining.size === 0;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * When to look again for what remains. Pods take about half of their grace period; everything else goes soon, or else
 * waits for somebody, and is looked at less often the longer that takes.
 */
export function waitMs({ graceSeconds }: ContentReport, sinceMs: number): number {
  const grace = graceSeconds === 0 ? 0 : (graceSeconds / 2 + 1) * 1000;
  return Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, grace, sinceMs / 4));
}

/** One line for the log: why the namespace is still there. */
export function summary(report: ContentReport): string {
  const parts = [
    ['undiscovered', report.undiscovered.size],
    ['unreadable', report.unreadable.length],
    ['failed', report.failures.size],
    ['remaining', report.remaining.size],
  ] as const;
  return parts.flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ');
}

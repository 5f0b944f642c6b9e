/**
 * Releases from which a requested progress answer comes after all events at or below its revision. Before them it may
 * overtake events (etcd issue 15220), and must be ignored.
 */
const FIXED: readonly (readonly [major: number, minor: number, patch: number])[] = [
  [3, 4, 25],
  [3, 5, 8],
];

/** Reports whether a member of this version (`3.4.23`) answers progress requests in order with its events. */
export function answersProgressInOrder(version: string): boolean {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (match === null) return false;
  const [major = 0, minor = 0, patch = 0] = match.slice(1).map(Number);
  const fixed = FIXED.find(([a, b]) => a === major && b === minor);
  if (fixed !== undefined) return patch >= fixed[2];
  return major > 3 || (major === 3 && minor > 5);
}

import type { PodSecurityPolicySpecV1beta1 } from '@orch/kinds/policy';
import { type FieldError, fieldError } from '@orch/machinery';
import { sysctl } from '@orch/machinery/formats';

const lists = ['allowedUnsafeSysctls', 'forbiddenSysctls'] as const;

/** The problem of a kernel parameter or of a pattern with a trailing `*`; undefined when it is valid. */
function patternProblem(pattern: string): string | undefined {
  if (pattern === '*') return undefined;
  const name = pattern.endsWith('*') ? `${pattern.slice(0, -1)}x` : pattern;
  return sysctl(name);
}

const isOpen = (pattern: string): boolean => pattern.endsWith('*');
const startOf = (pattern: string): string => (isOpen(pattern) ? pattern.slice(0, -1) : pattern);

/** The index of the first of some sorted strings that is not before another one. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns a function that reports whether a pattern overlaps with one of others, for less than a comparison with each. */
function overlapsWith(others: readonly string[]): (pattern: string) => boolean {
  const exact = new Set(others);
  const starts = others.map(startOf).toSorted();
  // Without those that begin with another one: then only the last one that is not after a text can be its beginning.
  const openStarts: string[] = [];
  for (const start of others.filter(isOpen).map(startOf).toSorted()) {
    const last = openStarts.at(-1);
    if (last === undefined || !start.startsWith(last)) openStarts.push(start);
  }
  return (pattern) => {
    if (exact.has(pattern)) return true;
    const start = startOf(pattern);
    if (isOpen(pattern) && starts[firstFrom(starts, start)]?.startsWith(start) === true) return true;
    const after = firstFrom(openStarts, start);
    const candidate = openStarts[after] === start ? start : openStarts[after - 1];
    return candidate !== undefined && start.startsWith(candidate);
  };
}

/** Checks that patterns are well formed, and that none is both allowed and forbidden. */
export function checkSysctls(path: string, spec: PodSecurityPolicySpecV1beta1): readonly FieldError[] {
  const errors = lists.flatMap((list) =>
    (spec[list] ?? []).flatMap((pattern, i) => {
      const at = `${path}.${list}[${i}]`;
      const wrong = patternProblem(pattern);
      return wrong === undefined ? [] : [fieldError.invalid(at, pattern, wrong)];
    }),
  );
  const isForbidden = overlapsWith(spec.forbiddenSysctls ?? []);
  const both = (spec.allowedUnsafeSysctls ?? []).flatMap((allowed, i) =>
    isForbidden(allowed)
      ? [
          fieldError.invalid(
            `${path}.allowedUnsafeSysctls[${i}]`,
            allowed,
            'sysctl overlaps with a forbidden one',
          ),
        ]
      : [],
  );
  return [...errors, ...both];
}

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

/** Reports whether two patterns overlap. */
function overlap(a: string, b: string): boolean {
  const [startA, startB] = [a.replace(/\*$/, ''), b.replace(/\*$/, '')];
  if (a.endsWith('*') && startB.startsWith(startA)) return true;
  return b.endsWith('*') ? startA.startsWith(startB) : a === b;
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
  const forbidden = spec.forbiddenSysctls ?? [];
  const both = (spec.allowedUnsafeSysctls ?? []).flatMap((allowed, i) =>
    forbidden.some((pattern) => overlap(allowed, pattern))
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

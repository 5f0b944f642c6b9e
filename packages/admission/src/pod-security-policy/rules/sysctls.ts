import { fieldError } from '@orch/machinery';
import { type RuleParts, type Rules, SECURITY_CONTEXT } from '../rule.ts';

/** Kernel parameters: safe ones, and others that the policy allows, unless it forbids them. */
export function sysctls({ spec, safeSysctls }: RuleParts): Rules {
  const { allowedUnsafeSysctls: allowed = [], forbiddenSysctls: forbidden = [] } = spec;
  const problem = (name: string): string | undefined => {
    if (matches(name, forbidden)) return `sysctl ${JSON.stringify(name)} is not allowed`;
    if (safeSysctls.has(name) || matches(name, allowed)) return undefined;
    return `unsafe sysctl ${JSON.stringify(name)} is not allowed`;
  };
  return {
    pod: {
      *check({ spec: { securityContext } }) {
        for (const [i, { name = '' }] of (securityContext?.sysctls ?? []).entries()) {
          const why = problem(name);
          if (why !== undefined) yield fieldError.forbidden(`${SECURITY_CONTEXT}.sysctls[${i}]`, why);
        }
      },
    },
  };
}

/** A `*` at the end of a pattern matches any suffix. */
const matches = (name: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );

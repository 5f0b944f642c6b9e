import { fieldError } from '@orch/machinery';
import { approximateNumber } from '@orch/machinery/json';
import { type ContainerRule, never, type RuleParts, type Rules } from '../rule.ts';
import { IdRanges } from './id-ranges.ts';

/** The users that containers run as. */
export function runAsUser({ spec }: RuleParts): Rules {
  const { rule = '', ranges } = spec.runAsUser ?? {};
  if (rule === 'RunAsAny') return {};
  if (rule === 'MustRunAsNonRoot') return { container: nonRoot };
  const known = ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'];
  if (rule !== 'MustRunAs') return never(fieldError.notSupported('spec.runAsUser.rule', rule, known));
  const allowed = new IdRanges(ranges);
  return allowed.first === undefined
    ? never(fieldError.required('spec.runAsUser.ranges', 'MustRunAs needs a range'))
    : { container: within(allowed, allowed.first) };
}

const within = (allowed: IdRanges, first: NonNullable<IdRanges['first']>): ContainerRule => ({
  defaults: ({ context }) => (context.runAsUser === undefined ? { runAsUser: first } : undefined),
  check({ path, context: { runAsUser: user } }) {
    const field = `${path}.securityContext.runAsUser`;
    if (user === undefined) return [fieldError.required(field)];
    if (allowed.includes(user)) return [];
    return [fieldError.invalid(field, user, `must be in the ranges: ${allowed.toString()}`)];
  },
});

/** A container without a user gets the field that makes its node refuse an image that runs as root. */
const nonRoot: ContainerRule = {
  defaults: ({ context }) =>
    context.runAsUser === undefined && context.runAsNonRoot === undefined
      ? { runAsNonRoot: true }
      : undefined,
  check({ path, context }) {
    const at = `${path}.securityContext`;
    const { runAsNonRoot: isNonRoot, runAsUser: user } = context;
    if (isNonRoot === undefined && user === undefined)
      return [fieldError.required(`${at}.runAsNonRoot`, 'must be true')];
    if (isNonRoot === false) return [fieldError.invalid(`${at}.runAsNonRoot`, false, 'must be true')];
    return user !== undefined && approximateNumber(user) === 0
      ? [fieldError.invalid(`${at}.runAsUser`, user, 'running with the root UID is forbidden')]
      : [];
  },
};

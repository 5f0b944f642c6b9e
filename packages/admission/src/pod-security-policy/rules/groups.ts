import type { IDRangeV1beta1 } from '@orch/kinds/policy';
import { type FieldError, fieldError } from '@orch/machinery';
import { type ExactNumber, exactNumberText } from '@orch/machinery/json';
import { never, type PodRule, type RuleParts, type Rules, SECURITY_CONTEXT } from '../rule.ts';
import { IdRanges } from './id-ranges.ts';

type Id = number | ExactNumber;

/** A rule and ranges for groups, which a policy has for several fields. */
interface GroupOptions {
  readonly rule?: string;
  readonly ranges?: readonly IDRangeV1beta1[];
}

/** The rule of a policy about the groups in one field. */
interface GroupStrategy {
  /** The default group of pods. */
  readonly default: Id | undefined;
  check(path: string, groups: readonly Id[]): Iterable<FieldError>;
}

const anyGroup: GroupStrategy = { default: undefined, check: () => [] };

/** The error of the policy where it is incomplete or unknown. */
function groupStrategy(field: string, options: GroupOptions | undefined): GroupStrategy | FieldError {
  const { rule = '', ranges } = options ?? { rule: 'RunAsAny' };
  if (rule === 'RunAsAny') return anyGroup;
  if (rule !== 'MustRunAs' && rule !== 'MayRunAs')
    return fieldError.notSupported(`spec.${field}.rule`, rule, ['MayRunAs', 'MustRunAs', 'RunAsAny']);
  const allowed = new IdRanges(ranges);
  const { first } = allowed;
  if (first === undefined) return fieldError.required(`spec.${field}.ranges`, `${rule} needs a range`);
  const isRequired = rule === 'MustRunAs';
  return {
    default: isRequired ? first : undefined,
    *check(path, groups) {
      if (isRequired && groups.length === 0)
        yield fieldError.invalid(path, groups, 'unable to validate empty groups against required ranges');
      for (const group of groups)
        if (!allowed.includes(group)) {
          const why = `group ${exactNumberText(group)} must be in the ranges: ${allowed.toString()}`;
          yield fieldError.invalid(path, groups, why);
        }
    },
  };
}

const idsOf = (id: Id | undefined): readonly Id[] => (id === undefined ? [] : [id]);

const podRules = (strategy: GroupStrategy | FieldError, rule: (strategy: GroupStrategy) => PodRule): Rules =>
  'field' in strategy ? never(strategy) : { pod: rule(strategy) };

/** The group that owns the volumes of a pod. */
export const fsGroup = ({ spec }: RuleParts): Rules =>
  podRules(groupStrategy('fsGroup', spec.fsGroup), (strategy) => ({
    defaults: ({ spec: pod }) =>
      strategy.default === undefined || pod.securityContext?.fsGroup !== undefined
        ? undefined
        : { securityContext: { fsGroup: strategy.default } },
    check: ({ spec: pod }) =>
      strategy.check(`${SECURITY_CONTEXT}.fsGroup`, idsOf(pod.securityContext?.fsGroup)),
  }));

/** Groups that all processes of a pod are in. */
export const supplementalGroups = ({ spec }: RuleParts): Rules =>
  podRules(groupStrategy('supplementalGroups', spec.supplementalGroups), (strategy) => ({
    defaults: ({ spec: pod }) =>
      strategy.default === undefined || (pod.securityContext?.supplementalGroups ?? []).length > 0
        ? undefined
        : { securityContext: { supplementalGroups: [strategy.default] } },
    check: ({ spec: pod }) =>
      strategy.check(`${SECURITY_CONTEXT}.supplementalGroups`, pod.securityContext?.supplementalGroups ?? []),
  }));

/** The main group of containers. */
export function runAsGroup({ spec }: RuleParts): Rules {
  const strategy = groupStrategy('runAsGroup', spec.runAsGroup);
  if ('field' in strategy) return never(strategy);
  return {
    container: {
      defaults: ({ context }) =>
        strategy.default === undefined || context.runAsGroup !== undefined
          ? undefined
          : { runAsGroup: strategy.default },
      check: ({ path, context }) =>
        strategy.check(`${path}.securityContext.runAsGroup`, idsOf(context.runAsGroup)),
    },
  };
}

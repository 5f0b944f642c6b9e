import type { SELinuxOptions } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { never, type RuleParts, type Rules, SECURITY_CONTEXT } from '../rule.ts';

/** SELinux labels of pods and containers. */
export function seLinux({ spec }: RuleParts): Rules {
  const { rule = '', seLinuxOptions: required } = spec.seLinux ?? {};
  if (rule === 'RunAsAny') return {};
  if (rule !== 'MustRunAs')
    return never(fieldError.notSupported('spec.seLinux.rule', rule, ['MustRunAs', 'RunAsAny']));
  if (required === undefined)
    return never(fieldError.required('spec.seLinux.seLinuxOptions', 'MustRunAs needs options'));
  return {
    pod: {
      defaults: ({ spec: { securityContext } }) =>
        securityContext?.seLinuxOptions === undefined
          ? { securityContext: { seLinuxOptions: required } }
          : undefined,
      check: ({ spec: { securityContext } }) =>
        otherOptions(SECURITY_CONTEXT, securityContext?.seLinuxOptions, required),
    },
    container: {
      check: ({ path, context }) => otherOptions(`${path}.securityContext`, context.seLinuxOptions, required),
    },
  };
}

const FIELDS = ['level', 'role', 'type', 'user'] as const;

function otherOptions(
  path: string,
  options: SELinuxOptions | undefined,
  required: SELinuxOptions,
): readonly FieldError[] {
  const at = `${path}.seLinuxOptions`;
  if (options === undefined) return [fieldError.required(at)];
  return FIELDS.flatMap((field) => {
    const [value, expected] = [options[field] ?? '', required[field] ?? ''];
    const isEqual = field === 'level' ? normalLevel(value) === normalLevel(expected) : value === expected;
    return isEqual ? [] : [fieldError.invalid(`${at}.${field}`, value, `must be ${expected}`)];
  });
}

/** A level with its categories in order: `s0:c6,c0` is `s0:c0,c6`. */
function normalLevel(level: string): string {
  const [sensitivity, categories, ...more] = level.split(':');
  if (categories === undefined || more.length > 0) return level;
  return `${sensitivity}:${categories.split(',').toSorted().join(',')}`;
}

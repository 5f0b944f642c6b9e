import { fieldError } from '@orch/machinery';
import type { RuleParts, Rules } from '../rule.ts';

/** Runtime classes of pods, and their default. */
export function runtimeClass({ spec: { runtimeClass: options } }: RuleParts): Rules {
  if (options === undefined) return {};
  const { defaultRuntimeClassName: usual } = options;
  const allowed = options.allowedRuntimeClassNames ?? [];
  return {
    pod: {
      defaults: ({ spec }) =>
        usual === undefined || spec.runtimeClassName !== undefined ? undefined : { runtimeClassName: usual },
      check({ spec: { runtimeClassName: name } }) {
        if (name === undefined || allowed.includes('*') || allowed.includes(name)) return [];
        return [fieldError.invalid('spec.runtimeClassName', name, 'runtime class is not allowed to be used')];
      },
    },
  };
}

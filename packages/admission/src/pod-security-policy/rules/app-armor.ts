import { fieldError } from '@orch/machinery';
import { containersOf } from '../../shared/pods.ts';
import type { PodRule, ReviewedPod, RuleParts, Rules } from '../rule.ts';

/** AppArmor profiles of containers, which annotations of the pod name. */
export function appArmor({ annotations, names }: RuleParts): Rules {
  const keys = names.annotations;
  const profileOf = ({ annotations: all }: ReviewedPod, name = ''): string =>
    all[keys.apparmorContainerPrefix + name] ?? '';
  const usual = annotations[keys.apparmorDefaultProfile] ?? '';
  const defaults: PodRule['defaults'] = (pod) => {
    const unset = containersOf(pod.spec).filter(({ name }) => profileOf(pod, name) === '');
    if (unset.length === 0) return undefined;
    const key = (name = ''): string => keys.apparmorContainerPrefix + name;
    return { annotations: Object.fromEntries(unset.map(({ name }) => [key(name), usual])) };
  };
  const list = annotations[keys.apparmorAllowedProfiles];
  const allowed = new Set(list?.split(','));
  return {
    ...(usual === '' ? {} : { pod: { defaults } }),
    ...(list === undefined
      ? {}
      : {
          container: {
            check({ pod, container: { name = '' } }) {
              const profile = profileOf(pod, name);
              if (profile !== '' && allowed.has(profile)) return [];
              const why =
                profile === ''
                  ? 'AppArmor profile must be set'
                  : `${profile} is not an allowed profile. Allowed values: ${JSON.stringify(list)}`;
              const at = `metadata.annotations[${keys.apparmorContainerPrefix}${name}]`;
              return [fieldError.forbidden(at, why)];
            },
          },
        }),
  };
}

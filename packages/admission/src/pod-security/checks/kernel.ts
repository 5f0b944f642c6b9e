import type { SELinuxOptions } from '@orch/kinds/core';
import { type Check, containersWhere, listed, quoted, settersText, sortedSet } from './check.ts';

/** Checks that containers see the masked `/proc`. */
export const procMount: Check = (pod) => {
  const typesOf = ({ securityContext }: (typeof pod.containers)[number]): readonly string[] => {
    const { procMount: type } = securityContext ?? {};
    return type === undefined || type === 'Default' ? [] : [type];
  };
  const names = containersWhere(pod, (container) => typesOf(container).length > 0);
  if (names.length === 0) return undefined;
  const types = sortedSet(pod.containers.flatMap(typesOf));
  return {
    reason: 'procMount',
    detail: `${listed('container', names)} must not set securityContext.procMount to ${quoted(types)}`,
  };
};

/** Checks that SELinux options set neither a user nor a role, and only these types. */
export function seLinuxOptions(...allowedTypes: readonly string[]): Check {
  const badTypes = ({ type = '' }: SELinuxOptions): readonly string[] =>
    type === '' || allowedTypes.includes(type) ? [] : [type];
  const isBad = (options: SELinuxOptions = {}): boolean =>
    badTypes(options).length > 0 || (options.user ?? '') !== '' || (options.role ?? '') !== '';
  return (pod) => {
    const ofPod = pod.spec.securityContext?.seLinuxOptions;
    const setters = settersText(
      isBad(ofPod),
      containersWhere(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions)),
    );
    if (setters === '') return undefined;
    const all = [ofPod, ...pod.containers.map((c) => c.securityContext?.seLinuxOptions)].map((o) => o ?? {});
    const types = sortedSet(all.flatMap(badTypes));
    const data = [
      ...(types.length === 0 ? [] : [listed('type', types)]),
      ...(all.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
      ...(all.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${setters} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
    };
  };
}

/** Checks that kernel parameters are among these, which do not affect other pods. */
export function sysctls(...allowed: readonly string[]): Check {
  const known = new Set(allowed);
  return ({ spec }) => {
    const set = (spec.securityContext?.sysctls ?? []).map(({ name = '' }) => name);
    const forbidden = set.filter((name) => !known.has(name));
    return forbidden.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: forbidden.join(', ') };
  };
}

import type { PodSecurityContext, SecurityContext } from '@orch/kinds/core';
import { containersOf, podSpecOf } from '../shared/pods.ts';
import type { AdmissionPlugin, ResourceTarget } from '../types.ts';

const podFields = ['supplementalGroups', 'seLinuxOptions', 'runAsUser', 'fsGroup'] as const;
const containerFields = ['seLinuxOptions', 'runAsUser'] as const;

const handles = ({ operation, group, resource, subresource }: ResourceTarget): boolean =>
  (operation === 'CREATE' || operation === 'UPDATE') &&
  group === '' &&
  resource === 'pods' &&
  (subresource === '' || subresource === 'ephemeralcontainers');

/** `SecurityContextDeny`: refuses pods that choose their user, groups or SELinux options. */
export const securityContextDeny = (): AdmissionPlugin => ({
  name: 'SecurityContextDeny',
  handles,
  validate(write) {
    const spec = podSpecOf(write) ?? {};
    const ofPod = podFields.find((field) => isSet(spec.securityContext, field));
    if (ofPod !== undefined) return `pod.spec.securityContext.${ofPod} is forbidden`;
    for (const { name, securityContext } of containersOf(spec)) {
      const field = containerFields.find((each) => isSet(securityContext, each));
      if (field !== undefined)
        return `securityContext.${field} is forbidden in container ${JSON.stringify(name)}`;
    }
    return undefined;
  },
});

function isSet<C extends PodSecurityContext | SecurityContext>(
  context: C | undefined,
  field: keyof C,
): boolean {
  return context?.[field] !== undefined;
}

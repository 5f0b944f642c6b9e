import type { PodSecurityPolicySpecV1beta1, PodSecurityPolicyV1beta1 } from '@orch/kinds/policy';

const any = { rule: 'RunAsAny' };

/** A policy that admits all pods, with changes. */
export const permissivePolicy = (
  name: string,
  spec: PodSecurityPolicySpecV1beta1 = {},
  annotations: Readonly<Record<string, string>> = {},
): PodSecurityPolicyV1beta1 => ({
  metadata: { name, annotations },
  spec: {
    privileged: true,
    hostNetwork: true,
    hostPID: true,
    hostIPC: true,
    hostPorts: [{ min: 0, max: 65535 }],
    allowedCapabilities: ['*'],
    allowedProcMountTypes: ['Default', 'Unmasked'],
    volumes: ['*'],
    seLinux: any,
    runAsUser: any,
    supplementalGroups: any,
    fsGroup: any,
    ...spec,
  },
});

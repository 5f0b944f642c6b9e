import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSecurityContext, SecurityContext } from '@orch/kinds/core';
import { namesFor } from '@orch/machinery';
import { type AnyContainer, containersWithPaths } from '../shared/pods.ts';
import { permissivePolicy } from '../testing/pod-security-policies.ts';
import { Policy } from './policy.ts';
import type { PolicySpec, ReviewedPod } from './rule.ts';

interface Row {
  readonly policy: PolicySpec;
  /** Security context of the pod. */
  readonly pod?: PodSecurityContext;
  /** Security context of the container. */
  readonly own?: SecurityContext;
  readonly ports?: readonly { readonly hostPort?: number }[];
  /** Security context of the container with its defaults; `own` when absent. */
  readonly completed?: SecurityContext;
  /** Errors, without the path of the container; none when absent. */
  readonly errors?: readonly string[];
}

const within = (rule: string, ...ranges: readonly (readonly [number, number])[]) => ({
  rule,
  ranges: ranges.map(([min, max]) => ({ min, max })),
});
const USERS: PolicySpec = { runAsUser: within('MustRunAs', [100, 200], [500, 500]) };
const NON_ROOT: PolicySpec = { runAsUser: { rule: 'MustRunAsNonRoot' } };
const GROUPS: PolicySpec = { runAsGroup: within('MustRunAs', [10, 20]) };
const MAY_GROUPS: PolicySpec = { runAsGroup: within('MayRunAs', [10, 20]) };
const LABELS = { level: 's0:c1,c2', type: 't' };
const LABELLED: PolicySpec = { seLinux: { rule: 'MustRunAs', seLinuxOptions: LABELS } };
const CAPABILITIES: PolicySpec = {
  allowedCapabilities: ['CHOWN'],
  defaultAddCapabilities: ['KILL'],
  requiredDropCapabilities: ['MKNOD'],
};
const NO_ESCALATION: PolicySpec = { allowPrivilegeEscalation: false };
const READ_ONLY: PolicySpec = { readOnlyRootFilesystem: true };
const PORTS: PolicySpec = {
  hostPorts: [
    { min: 80, max: 80 },
    { min: 8000, max: 8080 },
  ],
};

const rows: Readonly<Record<string, Row>> = {
  'privileged, which is allowed': { policy: { privileged: true }, own: { privileged: true } },
  'privileged, which is not allowed': {
    policy: { privileged: false },
    own: { privileged: true },
    errors: ['securityContext.privileged: Invalid value: true: Privileged containers are not allowed'],
  },
  'not privileged, by a policy without privileged containers': {
    policy: { privileged: false },
    own: { privileged: false },
  },
  'a host process on Windows, by a policy without privileged containers': {
    policy: { privileged: false },
    pod: { windowsOptions: { hostProcess: true } },
    errors: [
      'securityContext.windowsOptions.hostProcess: Invalid value: true: Host process containers are not allowed',
    ],
  },
  'a host process on Windows, which is allowed': {
    policy: { privileged: true },
    own: { windowsOptions: { hostProcess: true } },
  },
  'a host process of the pod, which the container revokes': {
    policy: { privileged: false },
    pod: { windowsOptions: { hostProcess: true } },
    own: { windowsOptions: { hostProcess: false } },
    errors: [
      'securityContext.windowsOptions.hostProcess: Invalid value: true: Host process containers are not allowed',
    ],
  },
  'MustRunAs without a user gets the first one': { policy: USERS, completed: { runAsUser: 100 } },
  'MustRunAs with a user of a later range': { policy: USERS, own: { runAsUser: 500 } },
  'MustRunAs with a user between the ranges': {
    policy: USERS,
    own: { runAsUser: 201 },
    errors: ['securityContext.runAsUser: Invalid value: 201: must be in the ranges: [{100 200} {500 500}]'],
  },
  'MustRunAs with the user of the pod': { policy: USERS, pod: { runAsUser: 200 } },
  'MustRunAs with a refused user instead of that of the pod': {
    policy: USERS,
    pod: { runAsUser: 200 },
    own: { runAsUser: 0 },
    errors: ['securityContext.runAsUser: Invalid value: 0: must be in the ranges: [{100 200} {500 500}]'],
  },
  'MustRunAsNonRoot without a user must not be root': {
    policy: NON_ROOT,
    completed: { runAsNonRoot: true },
  },
  'MustRunAsNonRoot with a user is not changed': { policy: NON_ROOT, own: { runAsUser: 5 } },
  'MustRunAsNonRoot as the user root': {
    policy: NON_ROOT,
    own: { runAsUser: 0 },
    errors: ['securityContext.runAsUser: Invalid value: 0: running with the root UID is forbidden'],
  },
  'MustRunAsNonRoot as the user root of the pod, with its field set': {
    policy: NON_ROOT,
    pod: { runAsUser: 0, runAsNonRoot: true },
    errors: ['securityContext.runAsUser: Invalid value: 0: running with the root UID is forbidden'],
  },
  'MustRunAsNonRoot with the field of the pod revoked': {
    policy: NON_ROOT,
    pod: { runAsNonRoot: true },
    own: { runAsNonRoot: false },
    errors: ['securityContext.runAsNonRoot: Invalid value: false: must be true'],
  },
  'a group: MustRunAs without one gets the first': { policy: GROUPS, completed: { runAsGroup: 10 } },
  'a group: MustRunAs with that of the pod': { policy: GROUPS, pod: { runAsGroup: 20 } },
  'a group: MustRunAs with another': {
    policy: GROUPS,
    own: { runAsGroup: 9 },
    errors: ['securityContext.runAsGroup: Invalid value: [9]: group 9 must be in the ranges: [{10 20}]'],
  },
  'a group: MayRunAs without one stays without': { policy: MAY_GROUPS },
  'a group: MayRunAs with another': {
    policy: MAY_GROUPS,
    own: { runAsGroup: 21 },
    errors: ['securityContext.runAsGroup: Invalid value: [21]: group 21 must be in the ranges: [{10 20}]'],
  },
  'a group: RunAsAny with any': { policy: { runAsGroup: { rule: 'RunAsAny' } }, own: { runAsGroup: 0 } },
  'SELinux options: those of the policy with categories in another order': {
    policy: LABELLED,
    pod: { seLinuxOptions: LABELS },
    own: { seLinuxOptions: { ...LABELS, level: 's0:c2,c1' } },
  },
  'SELinux options: those of the pod': { policy: LABELLED, pod: { seLinuxOptions: LABELS } },
  'SELinux options: others than those of the pod': {
    policy: LABELLED,
    pod: { seLinuxOptions: LABELS },
    own: { seLinuxOptions: { level: 's0:c1', type: 'x', user: 'u', role: 'r' } },
    errors: [
      'securityContext.seLinuxOptions.level: Invalid value: "s0:c1": must be s0:c1,c2',
      'securityContext.seLinuxOptions.role: Invalid value: "r": must be ',
      'securityContext.seLinuxOptions.type: Invalid value: "x": must be t',
      'securityContext.seLinuxOptions.user: Invalid value: "u": must be ',
    ],
  },
  'capabilities: none get the default and the required ones': {
    policy: CAPABILITIES,
    completed: { capabilities: { add: ['KILL'], drop: ['MKNOD'] } },
  },
  'capabilities: own ones are kept': {
    policy: CAPABILITIES,
    own: { capabilities: { add: ['CHOWN'], drop: ['SETUID'] } },
    completed: { capabilities: { add: ['CHOWN', 'KILL'], drop: ['MKNOD', 'SETUID'] } },
  },
  'capabilities: a default one that is dropped is not added': {
    policy: CAPABILITIES,
    own: { capabilities: { drop: ['KILL', 'MKNOD'] } },
  },
  'capabilities: one that is not allowed': {
    policy: CAPABILITIES,
    own: { capabilities: { add: ['KILL', 'SYS_ADMIN'], drop: ['MKNOD'] } },
    errors: ['securityContext.capabilities.add: Invalid value: "SYS_ADMIN": capability may not be added'],
  },
  'capabilities: all, where some are allowed': {
    policy: { allowedCapabilities: ['CHOWN'] },
    own: { capabilities: { add: ['ALL'] } },
    errors: ['securityContext.capabilities.add: Invalid value: "ALL": capability may not be added'],
  },
  'capabilities: any, where the policy allows all': {
    policy: { allowedCapabilities: ['*'] },
    own: { capabilities: { add: ['SYS_ADMIN'] } },
  },
  'capabilities: any, where the policy allows none': {
    policy: { allowedCapabilities: [] },
    own: { capabilities: { add: ['CHOWN'] } },
    errors: ['securityContext.capabilities.add: Invalid value: "CHOWN": capability may not be added'],
  },
  'escalation that is not allowed is disabled': {
    policy: NO_ESCALATION,
    completed: { allowPrivilegeEscalation: false },
  },
  'escalation that is not allowed is refused': {
    policy: NO_ESCALATION,
    own: { allowPrivilegeEscalation: true },
    errors: [
      'securityContext.allowPrivilegeEscalation: Invalid value: true: Allowing privilege escalation for containers is not allowed',
    ],
  },
  'escalation that is allowed by default': {
    policy: { allowPrivilegeEscalation: true, defaultAllowPrivilegeEscalation: true },
    completed: { allowPrivilegeEscalation: true },
  },
  'escalation that is allowed, and disabled by default': {
    policy: { defaultAllowPrivilegeEscalation: false },
    completed: { allowPrivilegeEscalation: false },
  },
  'escalation where the policy says nothing': { policy: {}, own: { allowPrivilegeEscalation: true } },
  'a root file system for reading only is the default': {
    policy: READ_ONLY,
    completed: { readOnlyRootFilesystem: true },
  },
  'a root file system for writing': {
    policy: READ_ONLY,
    own: { readOnlyRootFilesystem: false },
    errors: [
      'securityContext.readOnlyRootFilesystem: Invalid value: false: ReadOnlyRootFilesystem must be set to true',
    ],
  },
  'the unmasked /proc': {
    policy: { allowedProcMountTypes: [] },
    own: { procMount: 'Unmasked' },
    errors: ['securityContext.procMount: Invalid value: "Unmasked": ProcMountType is not allowed'],
  },
  'the unmasked /proc, which is allowed': {
    policy: { allowedProcMountTypes: ['Unmasked'] },
    own: { procMount: 'Unmasked' },
  },
  'the masked /proc, where only the unmasked one is allowed': {
    policy: { allowedProcMountTypes: ['Unmasked'] },
    errors: ['securityContext.procMount: Invalid value: "Default": ProcMountType is not allowed'],
  },
  'ports of the node that are allowed': { policy: PORTS, ports: [{ hostPort: 80 }, { hostPort: 8080 }, {}] },
  'ports of the node that are not allowed': {
    policy: PORTS,
    ports: [{ hostPort: 80 }, { hostPort: 81 }],
    errors: [
      'ports[1].hostPort: Invalid value: 81: Host port 81 is not allowed to be used. Allowed ports: [80,8000-8080]',
    ],
  },
  'ports of the node, where none is allowed': {
    policy: { hostPorts: [] },
    ports: [{ hostPort: 80 }],
    errors: [
      'ports[0].hostPort: Invalid value: 80: Host port 80 is not allowed to be used. Allowed ports: []',
    ],
  },
};

const parts = { names: namesFor('orch'), hasSeccompFields: true, safeSysctls: new Set<string>() };

/** Errors about containers, without the paths of these. */
const errorsOf = (policy: Policy, pod: ReviewedPod): readonly string[] =>
  policy.check(pod).map(({ field, message }) => `${field.replace(/^spec\.\w+\[0\]\./, '')}: ${message}`);

for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const)
  describe(`pod security policies on ${list}`, () => {
    for (const [title, { policy: spec, pod, own, ports, completed, errors }] of Object.entries(rows))
      it(`a pod security policy decides on ${list}: ${title}`, () => {
        const container: AnyContainer = {
          name: 'c',
          ...(own === undefined ? {} : { securityContext: own }),
          ...(ports === undefined ? {} : { ports }),
        };
        const policy = new Policy(permissivePolicy('p', spec), parts);
        const reviewed: ReviewedPod = {
          annotations: {},
          spec: { [list]: [container], ...(pod === undefined ? {} : { securityContext: pod }) },
        };
        const result = policy.complete(reviewed);
        assert.deepEqual(containersWithPaths(result.spec)[0]?.container.securityContext, completed ?? own);
        assert.equal(result === reviewed, completed === undefined);
        assert.deepEqual(errorsOf(policy, result), errors ?? []);
        assert.equal(policy.complete(result), result);
      });
  });

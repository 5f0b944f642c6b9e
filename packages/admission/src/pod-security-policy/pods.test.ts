import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSecurityContext, PodSpec, Volume } from '@orch/kinds/core';
import { namesFor } from '@orch/machinery';
import { permissivePolicy } from '../testing/pod-security-policies.ts';
import { Policy } from './policy.ts';
import type { PolicySpec, ReviewedPod } from './rule.ts';

type Annotations = Readonly<Record<string, string>>;

interface Row {
  readonly policy?: PolicySpec;
  readonly policyAnnotations?: Annotations;
  readonly spec?: PodSpec;
  readonly annotations?: Annotations;
  /** The pod with its defaults; unchanged when absent. */
  readonly completed?: { readonly spec?: PodSpec; readonly annotations?: Annotations };
  readonly errors?: readonly string[];
}

const { annotations: keys, objects } = namesFor('orch');
const within = (rule: string, ...ranges: readonly (readonly [number, number])[]) => ({
  rule,
  ranges: ranges.map(([min, max]) => ({ min, max })),
});
const security = (securityContext: PodSecurityContext): PodSpec => ({ securityContext });
const volume = (source: Omit<Volume, 'name'>): PodSpec => ({ volumes: [{ name: 'v', ...source }] });
const token = {
  sources: [
    { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
    { configMap: { name: objects.rootCa, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
};
const mounted = (readOnly: boolean, path: string): PodSpec => ({
  ...volume({ hostPath: { path } }),
  containers: [{ name: 'a', volumeMounts: [{ name: 'v', mountPath: '/v', readOnly: true }] }],
  initContainers: [{ name: 'b', volumeMounts: [{ name: 'v', mountPath: '/v', readOnly }] }],
});
const PATHS: PolicySpec = {
  allowedHostPaths: [{ pathPrefix: '/logs/' }, { pathPrefix: '/etc', readOnly: true }],
};
const LABELS = { level: 's0:c1' };
const NO_OPTIONS = 'is not allowed to be used';
const seccompAllowed = (profiles: string, usual = ''): Annotations => ({
  [keys.seccompAllowedProfiles]: profiles,
  ...(usual === '' ? {} : { [keys.seccompDefaultProfile]: usual }),
});
const one: PodSpec = { containers: [{ name: 'c' }] };
const armor = (name: string): string => keys.apparmorContainerPrefix + name;
const comp = (name: string): string => keys.seccompContainerPrefix + name;

const rows: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(
    (
      [
        ['hostNetwork', 'Host network'],
        ['hostPID', 'Host PID'],
        ['hostIPC', 'Host IPC'],
      ] as const
    ).flatMap(([field, text]): readonly (readonly [string, Row])[] => [
      [`${field}, which is allowed`, { spec: { [field]: true } }],
      [
        `${field}, which is not allowed`,
        {
          policy: { [field]: false },
          spec: { [field]: true },
          errors: [`spec.${field}: Invalid value: true: ${text} ${NO_OPTIONS}`],
        },
      ],
      [`no ${field}`, { policy: { [field]: false }, spec: { [field]: false } }],
    ]),
  ),
  'fsGroup: MustRunAs without one gets the first': {
    policy: { fsGroup: within('MustRunAs', [5, 6]) },
    completed: { spec: security({ fsGroup: 5 }) },
  },
  'fsGroup: MustRunAs with another': {
    policy: { fsGroup: within('MustRunAs', [5, 6]) },
    spec: security({ fsGroup: 7 }),
    errors: ['spec.securityContext.fsGroup: Invalid value: [7]: group 7 must be in the ranges: [{5 6}]'],
  },
  'fsGroup: MayRunAs without one': { policy: { fsGroup: within('MayRunAs', [5, 6]) } },
  'fsGroup: MayRunAs with another': {
    policy: { fsGroup: within('MayRunAs', [5, 6]) },
    spec: security({ fsGroup: 4 }),
    errors: ['spec.securityContext.fsGroup: Invalid value: [4]: group 4 must be in the ranges: [{5 6}]'],
  },
  'fsGroup: RunAsAny': { spec: security({ fsGroup: 0 }) },
  'fsGroup: MustRunAs of a policy without ranges': {
    policy: { fsGroup: { rule: 'MustRunAs' } },
    spec: security({ fsGroup: 4 }),
    errors: ['spec.fsGroup.ranges: Required value: MustRunAs needs a range'],
  },
  'fsGroup: a rule that does not exist': {
    policy: { fsGroup: { rule: 'Maybe' } },
    errors: [
      'spec.fsGroup.rule: Unsupported value: "Maybe": supported values: "MayRunAs", "MustRunAs", "RunAsAny"',
    ],
  },
  'supplementalGroups: MustRunAs without any gets the first': {
    policy: { supplementalGroups: within('MustRunAs', [5, 6]) },
    completed: { spec: security({ supplementalGroups: [5] }) },
  },
  'supplementalGroups: MustRunAs with one more': {
    policy: { supplementalGroups: within('MustRunAs', [5, 6]) },
    spec: security({ supplementalGroups: [6, 0] }),
    errors: [
      'spec.securityContext.supplementalGroups: Invalid value: [6,0]: group 0 must be in the ranges: [{5 6}]',
    ],
  },
  'supplementalGroups: MayRunAs without any': { policy: { supplementalGroups: within('MayRunAs', [5, 6]) } },
  'supplementalGroups: MayRunAs with another': {
    policy: { supplementalGroups: within('MayRunAs', [5, 6]) },
    spec: security({ supplementalGroups: [9] }),
    errors: [
      'spec.securityContext.supplementalGroups: Invalid value: [9]: group 9 must be in the ranges: [{5 6}]',
    ],
  },
  'SELinux options: MustRunAs without any gets those of the policy': {
    policy: { seLinux: { rule: 'MustRunAs', seLinuxOptions: LABELS } },
    spec: one,
    completed: { spec: { ...one, ...security({ seLinuxOptions: LABELS }) } },
  },
  'SELinux options: MustRunAs with others': {
    policy: { seLinux: { rule: 'MustRunAs', seLinuxOptions: LABELS } },
    spec: security({ seLinuxOptions: { level: 's0:c2' } }),
    errors: ['spec.securityContext.seLinuxOptions.level: Invalid value: "s0:c2": must be s0:c1'],
  },
  'SELinux options: MustRunAs of a policy without options': {
    policy: { seLinux: { rule: 'MustRunAs' } },
    errors: ['spec.seLinux.seLinuxOptions: Required value: MustRunAs needs options'],
  },
  'users: MustRunAs of a policy without ranges': {
    policy: { runAsUser: { rule: 'MustRunAs' } },
    spec: one,
    errors: ['spec.runAsUser.ranges: Required value: MustRunAs needs a range'],
  },
  'kernel parameters: a safe one': {
    spec: security({ sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] }),
  },
  'kernel parameters: an unsafe one': {
    spec: security({ sysctls: [{ name: 'kernel.msgmax' }, { name: 'net.core.somaxconn' }] }),
    policy: { allowedUnsafeSysctls: ['kernel.msgmax'] },
    errors: ['spec.securityContext.sysctls[1]: Forbidden: unsafe sysctl "net.core.somaxconn" is not allowed'],
  },
  'kernel parameters: unsafe ones by a pattern': {
    spec: security({ sysctls: [{ name: 'kernel.msgmax' }, { name: 'kernel.shm' }] }),
    policy: { allowedUnsafeSysctls: ['kernel.msg*', '*'] },
  },
  'kernel parameters: safe and unsafe ones that are forbidden by patterns': {
    spec: security({ sysctls: [{ name: 'kernel.shm_rmid_forced' }, { name: 'net.a' }] }),
    policy: { forbiddenSysctls: ['kernel.shm_*', 'net.a'], allowedUnsafeSysctls: ['net.*'] },
    errors: [
      'spec.securityContext.sysctls[0]: Forbidden: sysctl "kernel.shm_rmid_forced" is not allowed',
      'spec.securityContext.sysctls[1]: Forbidden: sysctl "net.a" is not allowed',
    ],
  },
  'volumes: one without a source': {
    spec: volume({}),
    errors: ['spec.volumes[0]: Invalid value: "": unknown volume type'],
  },
  'volumes: any, where none is allowed': {
    policy: { volumes: [] },
    spec: volume({ emptyDir: {} }),
    errors: ['spec.volumes[0]: Invalid value: "emptyDir": emptyDir volumes are not allowed to be used'],
  },
  'volumes: two sources, one of which is allowed': {
    policy: { volumes: ['emptyDir'] },
    spec: volume({ emptyDir: {}, hostPath: { path: '/' } }),
    errors: ['spec.volumes[0]: Invalid value: "hostPath": hostPath volumes are not allowed to be used'],
  },
  'volumes: the token of the service account, where secrets are allowed': {
    policy: { volumes: ['secret'] },
    spec: volume({ projected: token }),
  },
  'volumes: the token of the service account, where secrets are not allowed': {
    policy: { volumes: ['configMap'] },
    spec: volume({ projected: token }),
    errors: ['spec.volumes[0]: Invalid value: "projected": projected volumes are not allowed to be used'],
  },
  ...Object.fromEntries(
    (
      [
        ['a token for another audience', { serviceAccountToken: { path: 'token', audience: 'vault' } }],
        ['a token at another path', { serviceAccountToken: { path: 'other' } }],
        ['another config map', { configMap: { name: 'other' } }],
        ['a secret', { secret: { name: 's' } }],
        ['another field of the pod', { downwardAPI: { items: [{ path: 'namespace' }] } }],
      ] as const
    ).map(([what, source]): readonly [string, Row] => [
      `volumes: the token of the service account with ${what}`,
      {
        policy: { volumes: ['secret'] },
        spec: volume({ projected: { sources: [...token.sources, source] } }),
        errors: ['spec.volumes[0]: Invalid value: "projected": projected volumes are not allowed to be used'],
      },
    ]),
  ),
  'flex volumes of any driver, where the policy names none': {
    spec: volume({ flexVolume: { driver: 'a/b' } }),
  },
  'flex volumes of another driver': {
    policy: { allowedFlexVolumes: [{ driver: 'a/c' }] },
    spec: volume({ flexVolume: { driver: 'a/b' } }),
    errors: ['spec.volumes[0].driver: Invalid value: "a/b": Flexvolume driver is not allowed to be used'],
  },
  'inline volumes of an allowed driver': {
    policy: { allowedCSIDrivers: [{ name: 'a' }] },
    spec: volume({ csi: { driver: 'a' } }),
  },
  'inline volumes of another driver': {
    policy: { allowedCSIDrivers: [{ name: 'a' }] },
    spec: volume({ csi: { driver: 'b' } }),
    errors: ['spec.volumes[0].driver: Invalid value: "b": Inline CSI driver is not allowed to be used'],
  },
  'host paths: any, where the policy names none': { spec: mounted(false, '/') },
  'host paths: below a prefix': { policy: PATHS, spec: mounted(false, '/logs/app') },
  'host paths: a prefix itself, without its slash': { policy: PATHS, spec: mounted(false, '/logs') },
  'host paths: one that only begins like a prefix': {
    policy: PATHS,
    spec: mounted(false, '/logs-of-others'),
    errors: [
      'spec.volumes[0].hostPath.pathPrefix: Invalid value: "/logs-of-others": is not allowed to be used',
    ],
  },
  'host paths: one above a prefix': {
    policy: PATHS,
    spec: mounted(false, '/'),
    errors: ['spec.volumes[0].hostPath.pathPrefix: Invalid value: "/": is not allowed to be used'],
  },
  'host paths: for reading only': { policy: PATHS, spec: mounted(true, '/etc/ssl') },
  'host paths: for reading only, and mounted for writing in one container': {
    policy: PATHS,
    spec: mounted(false, '/etc/ssl'),
    errors: ['spec.initContainers[0].volumeMounts[0].readOnly: Invalid value: false: must be read-only'],
  },
  'host paths: below a prefix for reading only and one for writing': {
    policy: { allowedHostPaths: [{ pathPrefix: '/', readOnly: true }, { pathPrefix: '/etc' }] },
    spec: mounted(false, '/etc/ssl'),
  },
  'runtime classes: any, where the policy says nothing': { spec: { runtimeClassName: 'a' } },
  'runtime classes: any, where all are allowed': {
    policy: { runtimeClass: { allowedRuntimeClassNames: ['*'] } },
    spec: { runtimeClassName: 'a' },
  },
  'runtime classes: another': {
    policy: { runtimeClass: { allowedRuntimeClassNames: ['b'] } },
    spec: { runtimeClassName: 'a' },
    errors: ['spec.runtimeClassName: Invalid value: "a": runtime class is not allowed to be used'],
  },
  'runtime classes: none, where some are allowed': {
    policy: { runtimeClass: { allowedRuntimeClassNames: ['b'] } },
  },
  'runtime classes: none gets the default': {
    policy: { runtimeClass: { allowedRuntimeClassNames: ['b'], defaultRuntimeClassName: 'b' } },
    completed: { spec: { runtimeClassName: 'b' } },
  },
  'AppArmor: any profile, where the policy says nothing': {
    spec: one,
    annotations: { [armor('c')]: 'unconfined' },
  },
  'AppArmor: none, where some are allowed': {
    policyAnnotations: { [keys.apparmorAllowedProfiles]: 'runtime/default,localhost/a' },
    spec: one,
    errors: [`metadata.annotations[${armor('c')}]: Forbidden: AppArmor profile must be set`],
  },
  'AppArmor: none, where the list of allowed ones is empty': {
    policyAnnotations: { [keys.apparmorAllowedProfiles]: '' },
    spec: one,
    errors: [`metadata.annotations[${armor('c')}]: Forbidden: AppArmor profile must be set`],
  },
  'AppArmor: one that is not allowed, in one of two containers': {
    policyAnnotations: { [keys.apparmorAllowedProfiles]: 'runtime/default,localhost/a' },
    spec: { ...one, initContainers: [{ name: 'i' }] },
    annotations: { [armor('c')]: 'localhost/a', [armor('i')]: 'unconfined' },
    errors: [
      `metadata.annotations[${armor('i')}]: Forbidden: unconfined is not an allowed profile. Allowed values: "runtime/default,localhost/a"`,
    ],
  },
  'AppArmor: containers without a profile get the default': {
    policyAnnotations: {
      [keys.apparmorAllowedProfiles]: 'runtime/default,localhost/a',
      [keys.apparmorDefaultProfile]: 'runtime/default',
    },
    spec: { ...one, initContainers: [{ name: 'i' }] },
    annotations: { [armor('i')]: 'localhost/a', other: 'x' },
    completed: {
      annotations: { [armor('i')]: 'localhost/a', [armor('c')]: 'runtime/default', other: 'x' },
    },
  },
  'seccomp: none, where the policy says nothing': { spec: one },
  'seccomp: one of the pod, where the policy says nothing': {
    annotations: { [keys.seccompPod]: 'unconfined' },
    errors: [
      `metadata.annotations[${keys.seccompPod}]: Forbidden: unconfined is not an allowed seccomp profile. Valid values are `,
    ],
  },
  'seccomp: any, where all are allowed': {
    policyAnnotations: seccompAllowed('*'),
    spec: { ...one, ...security({ seccompProfile: { type: 'Unconfined' } }) },
  },
  'seccomp: none, where some are allowed': {
    policyAnnotations: seccompAllowed('runtime/default'),
    spec: one,
    errors: [keys.seccompPod, comp('c')].map(
      (key) =>
        `metadata.annotations[${key}]: Forbidden:  is not an allowed seccomp profile. Valid values are runtime/default`,
    ),
  },
  'seccomp: the field of the pod': {
    policyAnnotations: seccompAllowed('docker/default'),
    spec: { ...one, ...security({ seccompProfile: { type: 'RuntimeDefault' } }) },
  },
  'seccomp: the field of a container with a file that is not allowed': {
    policyAnnotations: seccompAllowed('runtime/default,localhost/a'),
    spec: {
      ...security({ seccompProfile: { type: 'RuntimeDefault' } }),
      containers: [
        { name: 'a', securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a' } } },
        { name: 'c', securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'b' } } },
      ],
    },
    errors: [
      `metadata.annotations[${comp('c')}]: Forbidden: localhost/b is not an allowed seccomp profile. Valid values are runtime/default,localhost/a`,
    ],
  },
  'seccomp: an allowed annotation and another field': {
    policyAnnotations: seccompAllowed('runtime/default'),
    spec: {
      ...security({ seccompProfile: { type: 'RuntimeDefault' } }),
      containers: [{ name: 'c', securityContext: { seccompProfile: { type: 'Unconfined' } } }],
    },
    annotations: { [comp('c')]: 'docker/default' },
    errors: [
      `metadata.annotations[${comp('c')}]: Forbidden: unconfined is not an allowed seccomp profile. Valid values are runtime/default`,
    ],
  },
  'seccomp: a container without a profile in a pod with one': {
    policyAnnotations: seccompAllowed('runtime/default'),
    spec: { ...one, ...security({ seccompProfile: { type: 'RuntimeDefault' } }) },
    annotations: { [comp('c')]: '' },
    errors: [
      `metadata.annotations[${comp('c')}]: Forbidden:  is not an allowed seccomp profile. Valid values are runtime/default`,
    ],
  },
  'seccomp: a pod without a profile gets the default, as annotation and field': {
    policyAnnotations: seccompAllowed('docker/default', 'docker/default'),
    completed: {
      annotations: { [keys.seccompPod]: 'runtime/default' },
      spec: security({ seccompProfile: { type: 'RuntimeDefault' } }),
    },
  },
  'seccomp: a pod with a profile does not get the default': {
    policyAnnotations: seccompAllowed('*', 'runtime/default'),
    annotations: { [keys.seccompPod]: 'localhost/x' },
  },
};

const parts = {
  names: namesFor('orch'),
  hasSeccompFields: true,
  safeSysctls: new Set(['kernel.shm_rmid_forced']),
};

describe('pod security policies on pods', () => {
  for (const [title, row] of Object.entries(rows))
    it(`a pod security policy decides on a pod: ${title}`, () => {
      const { policy: policySpec, policyAnnotations, completed = {}, errors = [] } = row;
      const { spec = {}, annotations = {} } = row;
      const policy = new Policy(permissivePolicy('p', policySpec, policyAnnotations), parts);
      const pod: ReviewedPod = { annotations, spec };
      const result = policy.complete(pod);
      assert.deepEqual(result, { annotations, spec, ...completed });
      assert.equal(result === pod, row.completed === undefined);
      assert.deepEqual(
        policy.check(result).map(({ field, message }) => `${field}: ${message}`),
        errors,
      );
      assert.equal(policy.complete(result), result);
    });

  it('pods of releases without seccomp fields get the default profile as annotation only', () => {
    const policy = new Policy(permissivePolicy('p', {}, seccompAllowed('*', 'unconfined')), {
      ...parts,
      hasSeccompFields: false,
    });
    assert.deepEqual(policy.complete({ annotations: {}, spec: {} }), {
      annotations: { [keys.seccompPod]: 'unconfined' },
      spec: {},
    });
  });

  it('the number of reported errors is limited', () => {
    const policy = new Policy(permissivePolicy('p', { privileged: false }), parts);
    const containers = Array.from({ length: 5000 }, (_, i) => ({
      name: `c-${i}`,
      securityContext: { privileged: true },
    }));
    assert.equal(policy.check({ annotations: {}, spec: { containers } }).length, 100);
    const spec = { volumes: Array.from({ length: 5000 }, () => ({})) };
    assert.equal(policy.check({ annotations: {}, spec }).length, 100);
  });
});

const SOURCES: Readonly<Record<string, Omit<Volume, 'name'>>> = {
  awsElasticBlockStore: { awsElasticBlockStore: {} },
  azureDisk: { azureDisk: {} },
  azureFile: { azureFile: {} },
  cephFS: { cephfs: {} },
  cinder: { cinder: {} },
  configMap: { configMap: {} },
  csi: { csi: {} },
  downwardAPI: { downwardAPI: {} },
  emptyDir: { emptyDir: {} },
  ephemeral: { ephemeral: {} },
  fc: { fc: {} },
  flexVolume: { flexVolume: {} },
  flocker: { flocker: {} },
  gcePersistentDisk: { gcePersistentDisk: {} },
  gitRepo: { gitRepo: {} },
  glusterfs: { glusterfs: {} },
  hostPath: { hostPath: {} },
  iscsi: { iscsi: {} },
  nfs: { nfs: {} },
  persistentVolumeClaim: { persistentVolumeClaim: {} },
  photonPersistentDisk: { photonPersistentDisk: {} },
  portworxVolume: { portworxVolume: {} },
  projected: { projected: {} },
  quobyte: { quobyte: {} },
  rbd: { rbd: {} },
  scaleIO: { scaleIO: {} },
  secret: { secret: {} },
  storageos: { storageos: {} },
  vsphereVolume: { vsphereVolume: {} },
};

describe('pod security policies on volumes', () => {
  for (const [kind, source] of Object.entries(SOURCES))
    it(`volumes of the kind ${kind} are admitted by policies that allow this kind, or all`, () => {
      const admits = (...volumes: readonly string[]): boolean => {
        const policy = new Policy(permissivePolicy('p', { volumes }), parts);
        return policy.check({ annotations: {}, spec: volume(source) }).length === 0;
      };
      const others = Object.keys(SOURCES).filter(
        (each) => each !== kind && !(kind === 'projected' && each === 'secret'),
      );
      assert.deepEqual([admits(kind), admits('*'), admits(...others)], [true, true, false]);
    });
});

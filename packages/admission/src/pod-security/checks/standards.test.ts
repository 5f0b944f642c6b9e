import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '@orch/kinds/core';
import { namesFor } from '@orch/machinery';
import { podSecurityViolations } from '../../testing/pod-security-violations.ts';
import type { LevelVersion } from '../levels.ts';

const names = namesFor('orch');
const NEWEST = '1.35';

const violations = (
  spec: object,
  level: LevelVersion,
  annotations: Readonly<Record<string, string>> = {},
): string =>
  podSecurityViolations({ metadata: { annotations }, spec: spec as PodSpec }, level, {
    names,
    release: NEWEST,
  }).details;

const atBaseline = { level: 'baseline', version: 'latest' } as const;
const atRestricted = { level: 'restricted', version: 'latest' } as const;

/** A container that meets the level `restricted`, with a changed security context. */
const container = (name: string, context: object = {}, fields: object = {}): object => ({
  name,
  image: 'i',
  ...fields,
  securityContext: {
    allowPrivilegeEscalation: false,
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
    ...context,
  },
});

/** A title, the fields of a container, and its violations at `baseline` and, if they differ, at `restricted`. */
type ContainerRow = readonly [
  title: string,
  container: object,
  baseline: string | undefined,
  restricted?: string | undefined,
];

const bad = 'container "bad"';
const addsSysAdmin = `${bad} must not include "SYS_ADMIN" in securityContext.capabilities.add`;
const probe = { httpGet: { host: '10.0.0.1' } };
const hostText = `probe or lifecycle host (${bad} uses probe or lifecycle host "10.0.0.1")`;

const containerRows: readonly ContainerRow[] = [
  ['that sets only what is required', container('bad'), undefined],
  [
    'that is privileged',
    container('bad', { privileged: true }),
    `privileged (${bad} must not set securityContext.privileged=true)`,
  ],
  ['that is not privileged', container('bad', { privileged: false }), undefined],
  [
    'that adds another capability',
    container('bad', { capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } }),
    `non-default capabilities (${addsSysAdmin})`,
    `unrestricted capabilities (${addsSysAdmin})`,
  ],
  [
    'that adds a default capability',
    container('bad', { capabilities: { drop: ['ALL'], add: ['CHOWN'] } }),
    undefined,
    `unrestricted capabilities (${bad} must not include "CHOWN" in securityContext.capabilities.add)`,
  ],
  [
    'that adds the capability for privileged ports',
    container('bad', { capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
    undefined,
  ],
  [
    'that keeps capabilities and adds another one',
    container('bad', { capabilities: { drop: ['all'], add: ['SYS_ADMIN'] } }),
    `non-default capabilities (${addsSysAdmin})`,
    `unrestricted capabilities (${bad} must set securityContext.capabilities.drop=["ALL"]; ${addsSysAdmin})`,
  ],
  [
    'with a port of the host',
    container('bad', {}, { ports: [{ hostPort: 80 }, { hostPort: 0 }] }),
    `hostPort (${bad} uses hostPort 80)`,
  ],
  [
    'with another SELinux type',
    container('bad', { seLinuxOptions: { type: 'spc_t' } }),
    `seLinuxOptions (${bad} set forbidden securityContext.seLinuxOptions: type "spc_t")`,
  ],
  [
    'with an SELinux user and role',
    container('bad', { seLinuxOptions: { user: 'u', role: 'r' } }),
    `seLinuxOptions (${bad} set forbidden securityContext.seLinuxOptions: user may not be set; role may not be set)`,
  ],
  ['with an allowed SELinux type', container('bad', { seLinuxOptions: { type: 'container_t' } }), undefined],
  [
    'that sees the whole of /proc',
    container('bad', { procMount: 'Unmasked' }),
    `procMount (${bad} must not set securityContext.procMount to "Unmasked")`,
  ],
  [
    'without confinement by seccomp',
    container('bad', { seccompProfile: { type: 'Unconfined' } }),
    `seccompProfile (${bad} must not set securityContext.seccompProfile.type to "Unconfined")`,
  ],
  [
    'without confinement by AppArmor',
    container('bad', { appArmorProfile: { type: 'Unconfined' } }),
    `forbidden AppArmor profile (${bad} must not set AppArmor profile type to "Unconfined")`,
  ],
  [
    'that is a process of the host on Windows',
    container('bad', { windowsOptions: { hostProcess: true } }),
    `hostProcess (${bad} must not set securityContext.windowsOptions.hostProcess=true)`,
  ],
  ['with a liveness probe of another host', container('bad', {}, { livenessProbe: probe }), hostText],
  ['with a readiness probe of another host', container('bad', {}, { readinessProbe: probe }), hostText],
  ['with a startup probe of another host', container('bad', {}, { startupProbe: probe }), hostText],
  [
    'with a start handler for another host',
    container('bad', {}, { lifecycle: { postStart: probe } }),
    hostText,
  ],
  ['with a stop handler for another host', container('bad', {}, { lifecycle: { preStop: probe } }), hostText],
  [
    'that may gain privileges',
    container('bad', { allowPrivilegeEscalation: undefined }),
    undefined,
    `allowPrivilegeEscalation != false (${bad} must set securityContext.allowPrivilegeEscalation=false)`,
  ],
  [
    'that may run as root',
    container('bad', { runAsNonRoot: undefined }),
    undefined,
    `runAsNonRoot != true (pod or ${bad} must set securityContext.runAsNonRoot=true)`,
  ],
  [
    'that permits root',
    container('bad', { runAsNonRoot: false }),
    undefined,
    `runAsNonRoot != true (${bad} must not set securityContext.runAsNonRoot=false)`,
  ],
  [
    'that runs as root',
    container('bad', { runAsUser: 0 }),
    undefined,
    `runAsUser=0 (${bad} must not set runAsUser=0)`,
  ],
  [
    'without a seccomp profile',
    container('bad', { seccompProfile: undefined }),
    undefined,
    `seccompProfile (pod or ${bad} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`,
  ],
];

describe('Pod Security Standards, containers', () => {
  for (const kind of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const [title, one, baseline = '', restricted = baseline] of containerRows) {
      const spec = { containers: [container('good')], [kind]: [container('good'), one] };
      it(`a pod whose ${kind} have one ${title} violates ${baseline || 'nothing'} at baseline`, () => {
        assert.equal(violations(spec, atBaseline), baseline);
      });
      it(`a pod whose ${kind} have one ${title} violates ${restricted || 'nothing'} at restricted`, () => {
        assert.equal(violations(spec, atRestricted), restricted);
      });
      it(`a pod whose ${kind} have one ${title} violates nothing at privileged`, () => {
        assert.equal(violations(spec, { level: 'privileged', version: 'latest' }), '');
      });
    }
});

/** A title, the spec of a pod, and its violations at `baseline` and, if they differ, at `restricted`. */
const podRows: readonly ContainerRow[] = [
  [
    'in all namespaces of the host',
    { hostNetwork: true, hostPID: true, hostIPC: true },
    'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
  ],
  ['in one namespace of the host', { hostPID: true, hostIPC: false }, 'host namespaces (hostPID=true)'],
  [
    'with files of the host',
    {
      volumes: [
        { name: 'a', hostPath: {} },
        { name: 'b', hostPath: {} },
        { name: 'c', emptyDir: {} },
      ],
    },
    'hostPath volumes (volumes "a", "b")',
    'restricted volume types (volumes "a", "b" use restricted volume type "hostPath")',
  ],
  [
    'with a volume of each allowed type',
    {
      volumes: [
        'configMap',
        'csi',
        'downwardAPI',
        'emptyDir',
        'ephemeral',
        'image',
        'persistentVolumeClaim',
        'projected',
        'secret',
      ].map((name) => ({ name, [name]: {} })),
    },
    undefined,
  ],
  [
    'with a volume that has an allowed and another type',
    { volumes: [{ name: 'v', emptyDir: {}, nfs: {} }] },
    undefined,
    'restricted volume types (volume "v" uses restricted volume type "nfs")',
  ],
  [
    'with a volume without a type',
    { volumes: [{ name: 'v' }] },
    undefined,
    'restricted volume types (volume "v" uses restricted volume type "unknown")',
  ],
  [
    'with an unsafe kernel parameter',
    { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_wmem' }, { name: 'kernel.msgmax' }] } },
    'forbidden sysctls (kernel.msgmax)',
  ],
  [
    'with another SELinux type',
    { securityContext: { seLinuxOptions: { type: 'spc_t' } } },
    'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t")',
  ],
  [
    'without confinement by seccomp',
    { securityContext: { seccompProfile: { type: 'Unconfined' } } },
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'of processes of the host on Windows',
    { securityContext: { windowsOptions: { hostProcess: true } } },
    'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
  ],
  [
    'that permits root',
    { securityContext: { runAsNonRoot: false } },
    undefined,
    'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
  ],
  [
    'that runs as root',
    { securityContext: { runAsUser: 0 } },
    undefined,
    'runAsUser=0 (pod must not set runAsUser=0)',
  ],
  [
    'that sets for its containers what they do not set',
    {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost' } },
      containers: [container('c', { runAsNonRoot: undefined, seccompProfile: undefined })],
    },
    undefined,
  ],
  ...(
    [
      'awsElasticBlockStore',
      'azureDisk',
      'azureFile',
      'cephfs',
      'cinder',
      'fc',
      'flexVolume',
      'flocker',
      'gcePersistentDisk',
      'gitRepo',
      'glusterfs',
      'iscsi',
      'nfs',
      'photonPersistentDisk',
      'portworxVolume',
      'quobyte',
      'rbd',
      'scaleIO',
      'storageos',
      'vsphereVolume',
    ] as const
  ).map(
    (type): ContainerRow => [
      `with a volume of the type ${type}`,
      { volumes: [{ name: 'v', [type]: {} }] },
      undefined,
      `restricted volume types (volume "v" uses restricted volume type "${type}")`,
    ],
  ),
];

describe('Pod Security Standards, pods', () => {
  for (const [title, fields, baseline = '', restricted = baseline] of podRows) {
    const spec = { containers: [container('good')], ...fields };
    it(`a pod ${title} violates ${baseline || 'nothing'} at baseline, ${restricted || 'nothing'} at restricted`, () => {
      assert.equal(violations(spec, atBaseline), baseline);
      assert.equal(violations(spec, atRestricted), restricted);
    });
  }

  it('violations of several rules are reported in the order of the rules, those of baseline first', () => {
    const spec = {
      hostPID: true,
      containers: [{ name: 'a', securityContext: { privileged: true } }, { name: 'b' }],
    };
    assert.equal(
      violations(spec, atRestricted),
      [
        'host namespaces (hostPID=true)',
        'privileged (container "a" must not set securityContext.privileged=true)',
        'allowPrivilegeEscalation != false (containers "a", "b" must set securityContext.allowPrivilegeEscalation=false)',
        'unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"])',
        'runAsNonRoot != true (pod or containers "a", "b" must set securityContext.runAsNonRoot=true)',
        'seccompProfile (pod or containers "a", "b" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
      ].join(', '),
    );
  });

  it('AppArmor profiles in annotations are the default one or those of the node', () => {
    const key = `${names.annotations.apparmorContainerPrefix}c`;
    for (const allowed of ['runtime/default', 'localhost/p', ''])
      assert.equal(violations({}, atBaseline, { [key]: allowed }), '');
    assert.equal(
      violations({}, atBaseline, { [key]: 'unconfined' }),
      `forbidden AppArmor profile (annotation must not set AppArmor profile type to "${key}="unconfined"")`,
    );
  });
});

/** A level, the last version with one result for the pod, and the first with the other. */
type VersionRow = readonly [
  title: string,
  spec: object,
  level: 'baseline' | 'restricted',
  last: string,
  first: string,
  becomes: 'allowed' | 'forbidden',
];

const sysctl = (name: string): object => ({ securityContext: { sysctls: [{ name }] } });
const windows = { os: { name: 'windows' } };
const userNamespace = { hostUsers: false };
const one = (context: object) => ({ containers: [container('c', context)] });

const versionRows: readonly VersionRow[] = [
  [
    'that may gain privileges',
    one({ allowPrivilegeEscalation: true }),
    'restricted',
    '1.7',
    '1.8',
    'forbidden',
  ],
  [
    'without a seccomp profile',
    one({ seccompProfile: undefined }),
    'restricted',
    '1.18',
    '1.19',
    'forbidden',
  ],
  [
    'without confinement by seccomp',
    one({ seccompProfile: { type: 'Unconfined' } }),
    'baseline',
    '1.18',
    '1.19',
    'forbidden',
  ],
  ['that keeps its capabilities', one({ capabilities: {} }), 'restricted', '1.21', '1.22', 'forbidden'],
  ['that runs as root', one({ runAsUser: 0 }), 'restricted', '1.22', '1.23', 'forbidden'],
  [
    'of Windows that may gain privileges',
    { ...one({ allowPrivilegeEscalation: undefined }), ...windows },
    'restricted',
    '1.24',
    '1.25',
    'allowed',
  ],
  [
    'of Windows that keeps its capabilities',
    { ...one({ capabilities: undefined }), ...windows },
    'restricted',
    '1.24',
    '1.25',
    'allowed',
  ],
  [
    'of Windows without a seccomp profile',
    { ...one({ seccompProfile: undefined }), ...windows },
    'restricted',
    '1.24',
    '1.25',
    'allowed',
  ],
  ['with reserved ports', sysctl('net.ipv4.ip_local_reserved_ports'), 'baseline', '1.26', '1.27', 'allowed'],
  ['with keep-alive times', sysctl('net.ipv4.tcp_keepalive_time'), 'baseline', '1.28', '1.29', 'allowed'],
  [
    'with the SELinux type of engines',
    one({ seLinuxOptions: { type: 'container_engine_t' } }),
    'baseline',
    '1.30',
    '1.31',
    'allowed',
  ],
  ['with sizes of buffers', sysctl('net.ipv4.tcp_rmem'), 'baseline', '1.31', '1.32', 'allowed'],
  [
    'with a probe of another host',
    { containers: [container('c', {}, { livenessProbe: probe })] },
    'baseline',
    '1.33',
    '1.34',
    'forbidden',
  ],
  [
    'in a user namespace that sees the whole of /proc',
    { ...one({ procMount: 'Unmasked' }), ...userNamespace },
    'baseline',
    '1.34',
    '1.35',
    'allowed',
  ],
  [
    'in a user namespace that may run as root',
    { ...one({ runAsNonRoot: false }), ...userNamespace },
    'restricted',
    '1.34',
    '1.35',
    'allowed',
  ],
  [
    'in a user namespace that runs as root',
    { ...one({ runAsUser: 0 }), ...userNamespace },
    'restricted',
    '1.34',
    '1.35',
    'allowed',
  ],
];

describe('Pod Security Standards, versions', () => {
  for (const [title, spec, level, last, first, becomes] of versionRows)
    it(`a pod ${title} is ${becomes} by ${level} from version ${first} on, and not in ${last}`, () => {
      const isAllowed = (version: string): boolean => violations(spec, { level, version }) === '';
      assert.equal(isAllowed(last), becomes === 'forbidden');
      assert.equal(isAllowed(first), becomes === 'allowed');
      assert.equal(isAllowed('latest'), becomes === 'allowed');
    });

  it('a pod in a user namespace that sees the whole of /proc is forbidden by restricted in all versions', () => {
    const spec = { ...one({ procMount: 'Unmasked' }), ...userNamespace };
    for (const version of ['1.0', '1.34', '1.35'])
      assert.match(violations(spec, { level: 'restricted', version }), /^procMount /);
  });

  it('seccomp profiles in annotations are checked until version 1.18', () => {
    const { seccompPod, seccompContainerPrefix } = names.annotations;
    const spec = { containers: [{ name: 'c' }] };
    const at = (version: string, annotations: Readonly<Record<string, string>>): string =>
      violations(spec, { level: 'baseline', version }, annotations);
    const ofContainer = `${seccompContainerPrefix}c`;
    assert.equal(
      at('1.18', { [seccompPod]: 'unconfined', [ofContainer]: 'x' }),
      `seccompProfile (forbidden annotations ${ofContainer}="x", ${seccompPod}="unconfined")`,
    );
    assert.equal(at('1.18', { [seccompPod]: 'docker/default', [ofContainer]: 'localhost/p' }), '');
    assert.equal(at('1.19', { [seccompPod]: 'unconfined' }), '');
  });

  it('versions after the emulated release, and latest, count as the emulated release', () => {
    const pod = { metadata: {}, spec: sysctl('net.ipv4.ip_local_reserved_ports') as PodSpec };
    const isAllowed = (version: string, release: string): boolean =>
      podSecurityViolations(pod, { level: 'baseline', version }, { names, release }).details === '';
    for (const version of ['latest', '1.26', '1.27', '1.99']) {
      assert.equal(isAllowed(version, '1.26'), false, version);
      assert.equal(isAllowed(version, '1.27'), version !== '1.26', version);
    }
  });
});

import type { Release } from '@orch/apis';
import { capabilitiesBaseline, capabilitiesRestricted } from './capabilities.ts';
import { type Check, exceptInUserNamespace, exceptOnWindows } from './check.ts';
import { hostNamespaces, hostPathVolumes, hostPorts, hostProbes, windowsHostProcess } from './host.ts';
import { procMount, seLinuxOptions, sysctls } from './kernel.ts';
import { allowPrivilegeEscalation, privileged, runAsNonRoot, runAsUser } from './privileges.ts';
import { appArmor, seccompAnnotations, seccompBaseline, seccompRestricted } from './profiles.ts';
import { restrictedVolumes } from './volumes.ts';

/** A check in the form that it has from one version of the standards on. */
export interface CheckVersion {
  readonly since: Release;
  readonly check: Check;
}

/** A check in its versions, oldest first. */
export interface StandardCheck {
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  readonly versions: readonly CheckVersion[];
  /** The `baseline` check that this one includes. */
  readonly replaces?: string;
}

const SELINUX_TYPES = ['container_t', 'container_init_t', 'container_kvm_t'];

const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_1_27 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_1_29 = [
  ...SYSCTLS_1_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SYSCTLS_1_32 = [...SYSCTLS_1_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

const since = (release: Release, check: Check): CheckVersion => ({ since: release, check });

const baseline: readonly StandardCheck[] = [
  { id: 'appArmorProfile', level: 'baseline', versions: [since('1.0', appArmor)] },
  { id: 'capabilities_baseline', level: 'baseline', versions: [since('1.0', capabilitiesBaseline)] },
  { id: 'hostNamespaces', level: 'baseline', versions: [since('1.0', hostNamespaces)] },
  { id: 'hostPathVolumes', level: 'baseline', versions: [since('1.0', hostPathVolumes)] },
  { id: 'hostPorts', level: 'baseline', versions: [since('1.0', hostPorts)] },
  { id: 'hostProbesAndHostLifecycle', level: 'baseline', versions: [since('1.34', hostProbes)] },
  { id: 'privileged', level: 'baseline', versions: [since('1.0', privileged)] },
  {
    id: 'procMount',
    level: 'baseline',
    versions: [since('1.0', procMount), since('1.35', exceptInUserNamespace(procMount))],
  },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [
      since('1.0', seLinuxOptions(...SELINUX_TYPES)),
      since('1.31', seLinuxOptions(...SELINUX_TYPES, 'container_engine_t')),
    ],
  },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [since('1.0', seccompAnnotations), since('1.19', seccompBaseline)],
  },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: [
      since('1.0', sysctls(...SYSCTLS)),
      since('1.27', sysctls(...SYSCTLS_1_27)),
      since('1.29', sysctls(...SYSCTLS_1_29)),
      since('1.32', sysctls(...SYSCTLS_1_32)),
    ],
  },
  { id: 'windowsHostProcess', level: 'baseline', versions: [since('1.0', windowsHostProcess)] },
];

const restricted: readonly StandardCheck[] = [
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      since('1.8', allowPrivilegeEscalation),
      since('1.25', exceptOnWindows(allowPrivilegeEscalation)),
    ],
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    versions: [since('1.22', capabilitiesRestricted), since('1.25', exceptOnWindows(capabilitiesRestricted))],
    replaces: 'capabilities_baseline',
  },
  {
    id: 'procMount_restricted',
    level: 'restricted',
    versions: [since('1.35', procMount)],
    replaces: 'procMount',
  },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    versions: [since('1.0', restrictedVolumes)],
    replaces: 'hostPathVolumes',
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [since('1.0', runAsNonRoot), since('1.35', exceptInUserNamespace(runAsNonRoot))],
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    versions: [since('1.23', runAsUser), since('1.35', exceptInUserNamespace(runAsUser))],
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    versions: [since('1.19', seccompRestricted), since('1.25', exceptOnWindows(seccompRestricted))],
    replaces: 'seccompProfile_baseline',
  },
];

/** The Pod Security Standards, in the order in which violations are reported. */
export const standards: readonly StandardCheck[] = [...baseline, ...restricted];

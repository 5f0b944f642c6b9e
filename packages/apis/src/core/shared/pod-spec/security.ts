import { f, items, struct } from '@orch/schema';
import {
  checkAppArmorProfile,
  checkSeccompProfile,
  checkSecurityContext,
  checkSysctls,
  checkWindowsOptions,
} from './validation/security.ts';

export const SELinuxOptions = struct('core.v1.SELinuxOptions', 'SELinux labels of a container.', {
  user: f.string(1, { doc: 'User label.' }),
  role: f.string(2, { doc: 'Role label.' }),
  type: f.string(3, { doc: 'Type label.' }),
  level: f.string(4, { doc: 'Level label.' }),
});

export const WindowsSecurityContextOptions = struct(
  'core.v1.WindowsSecurityContextOptions',
  'Security settings of Windows containers.',
  {
    gmsaCredentialSpecName: f.string(1, {
      doc: 'Name of the GMSA credential specification.',
      presence: 'pointer',
    }),
    gmsaCredentialSpec: f.string(2, { doc: 'The specification itself.', presence: 'pointer' }),
    runAsUserName: f.string(3, { doc: 'User to run as.', presence: 'pointer', since: '1.16' }),
    hostProcess: f.bool(4, {
      doc: 'Runs directly on the node.',
      presence: 'pointer',
      since: '1.23',
      gate: 'WindowsHostProcessContainers',
    }),
  },
  { checks: [checkWindowsOptions] },
);

const profileType = f.string(1, {
  doc: 'Unconfined, RuntimeDefault or Localhost.',
  presence: 'always',
  required: true,
  enum: ['Localhost', 'RuntimeDefault', 'Unconfined'],
});

export const SeccompProfile = struct(
  'core.v1.SeccompProfile',
  'System calls that a container may make.',
  {
    type: profileType,
    localhostProfile: f.string(2, {
      doc: 'File of the profile on the node; for Localhost only.',
      presence: 'pointer',
    }),
  },
  {
    checks: [checkSeccompProfile],
    unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }],
  },
);

export const AppArmorProfile = struct(
  'core.v1.AppArmorProfile',
  'AppArmor profile of containers.',
  {
    type: profileType,
    localhostProfile: f.string(2, {
      doc: 'Profile that is loaded on the node; for Localhost only.',
      presence: 'pointer',
      maxBytes: 4095,
    }),
  },
  {
    checks: [checkAppArmorProfile],
    unions: [{ discriminator: 'type', fields: { localhostProfile: 'LocalhostProfile' } }],
  },
);

export const Capabilities = struct(
  'core.v1.Capabilities',
  'Capabilities that are added to, and dropped from, those of the container runtime.',
  {
    add: f.list(1, items.string, { doc: 'Capabilities to add.' }),
    drop: f.list(2, items.string, { doc: 'Capabilities to drop.' }),
  },
);

export const SecurityContext = struct(
  'core.v1.SecurityContext',
  'Security settings of one container, which take precedence over those of the pod.',
  {
    capabilities: f.struct(1, Capabilities, {
      doc: 'Linux capabilities to add and to drop.',
      presence: 'pointer',
    }),
    privileged: f.bool(2, {
      doc: 'Gives the container about the same privileges as root on the node.',
      presence: 'pointer',
    }),
    seLinuxOptions: f.struct(3, SELinuxOptions, { doc: 'SELinux labels.', presence: 'pointer' }),
    windowsOptions: f.struct(10, WindowsSecurityContextOptions, {
      doc: 'Settings of Windows containers.',
      presence: 'pointer',
    }),
    runAsUser: f.int64(4, { doc: 'User ID to run as.', presence: 'pointer', format: 'userOrGroupID' }),
    runAsGroup: f.int64(8, { doc: 'Group ID to run as.', presence: 'pointer', format: 'userOrGroupID' }),
    runAsNonRoot: f.bool(5, { doc: 'Refuses to start as root.', presence: 'pointer' }),
    readOnlyRootFilesystem: f.bool(6, {
      doc: "Nothing can be written to the image's file system.",
      presence: 'pointer',
    }),
    allowPrivilegeEscalation: f.bool(7, {
      doc: 'Whether a process can get more rights than its parent.',
      presence: 'pointer',
    }),
    procMount: f.string(9, {
      doc: 'How /proc is mounted: Default or Unmasked.',
      presence: 'pointer',
      since: '1.33',
      gate: 'ProcMountType',
      enum: ['Default', 'Unmasked'],
      openapiEnum: { since: '1.27' },
      emptyIsInvalid: true,
    }),
    seccompProfile: f.struct(11, SeccompProfile, {
      doc: 'System calls that are allowed.',
      presence: 'pointer',
      since: '1.19',
    }),

    appArmorProfile: f.struct(12, AppArmorProfile, {
      doc: 'AppArmor profile.',
      presence: 'pointer',
      since: '1.30',
      gate: 'AppArmorFields',
    }),
  },
  { checks: [checkSecurityContext] },
);

export const Sysctl = struct('core.v1.Sysctl', 'One kernel parameter.', {
  name: f.string(1, { doc: 'Name of the parameter.', presence: 'always', required: true }),
  value: f.string(2, { doc: 'Value to set.', presence: 'always' }),
});

export const PodSecurityContext = struct(
  'core.v1.PodSecurityContext',
  'Security settings of all containers of a pod.',
  {
    seLinuxOptions: f.struct(1, SELinuxOptions, { doc: 'SELinux labels.', presence: 'pointer' }),
    windowsOptions: f.struct(8, WindowsSecurityContextOptions, {
      doc: 'Settings of Windows containers.',
      presence: 'pointer',
    }),
    runAsUser: f.int64(2, { doc: 'User ID to run as.', presence: 'pointer', format: 'userOrGroupID' }),
    runAsGroup: f.int64(6, { doc: 'Group ID to run as.', presence: 'pointer', format: 'userOrGroupID' }),
    runAsNonRoot: f.bool(3, { doc: 'Refuses to start containers as root.', presence: 'pointer' }),
    supplementalGroups: f.list(4, items.int64, {
      doc: 'Further groups of the first process.',
      format: 'userOrGroupID',
    }),

    supplementalGroupsPolicy: f.string(12, {
      doc: 'Whether groups of the image are added (Merge) or not (Strict).',
      presence: 'pointer',
      enum: ['Merge', 'Strict'],
      emptyIsInvalid: true,
      since: '1.33',
      gate: 'SupplementalGroupsPolicy',
    }),
    fsGroup: f.int64(5, {
      doc: 'Group that owns the files of volumes.',
      presence: 'pointer',
      format: 'userOrGroupID',
    }),
    sysctls: f.list(7, Sysctl, { doc: "Kernel parameters of the pod's namespaces." }),
    fsGroupChangePolicy: f.string(9, {
      doc: 'Whether ownership of volumes is changed at every mount (Always) or only when needed (OnRootMismatch).',
      presence: 'pointer',
      since: '1.20',
      gate: 'ConfigurableFSGroupPolicy',
      enum: ['Always', 'OnRootMismatch'],
      emptyIsInvalid: true,
      openapiEnum: { since: '1.27' },
    }),
    seccompProfile: f.struct(10, SeccompProfile, {
      doc: 'System calls that are allowed.',
      presence: 'pointer',
      since: '1.19',
    }),

    appArmorProfile: f.struct(11, AppArmorProfile, {
      doc: 'AppArmor profile.',
      presence: 'pointer',
      since: '1.30',
      gate: 'AppArmorFields',
    }),
    seLinuxChangePolicy: f.string(13, {
      doc: 'How volumes get the SELinux label: Recursive changes every file, MountOption mounts with it.',
      presence: 'pointer',
      enum: ['MountOption', 'Recursive'],
      openapiEnum: 'never',
      emptyIsInvalid: true,
      since: '1.33',
      gate: 'SELinuxChangePolicy',
    }),
  },
  { checks: [checkSysctls] },
);

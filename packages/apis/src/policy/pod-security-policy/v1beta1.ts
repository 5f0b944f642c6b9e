import { f, items, struct } from '@orch/schema';
import { metadataField, specField } from '../../meta/standard-fields.ts';
import {
  FSGroupStrategyOptions,
  HostPortRange,
  RunAsGroupStrategyOptions,
  RunAsUserStrategyOptions,
  RuntimeClassStrategyOptions,
  SELinuxStrategyOptions,
  SupplementalGroupsStrategyOptions,
} from './security-strategies.ts';
import { checkPolicySpec } from './validation/spec.ts';

const AllowedHostPath = struct(
  'policy.v1beta1.AllowedHostPath',
  'Part of the file system of the node that pods may mount.',
  {
    pathPrefix: f.string(1, {
      doc: 'Where the part begins: `/foo` allows `/foo` and `/foo/bar`, not `/food`.',
    }),
    readOnly: f.bool(2, { doc: 'It may be mounted for reading only.' }),
  },
);

const AllowedFlexVolume = struct(
  'policy.v1beta1.AllowedFlexVolume',
  'A driver of flex volumes that pods may use.',
  { driver: f.string(1, { doc: 'Name of the driver.', presence: 'always', required: true }) },
);

const AllowedCSIDriver = struct(
  'policy.v1beta1.AllowedCSIDriver',
  'A CSI driver that pods may use for inline volumes.',
  {
    name: f.string(1, {
      doc: 'Name of the driver.',
      presence: 'always',
      required: true,
      format: 'csiDriverName',
    }),
  },
);

const PodSecurityPolicySpec = struct(
  'policy.v1beta1.PodSecurityPolicySpec',
  'Privileges of pods under the policy, and their defaults.',
  {
    privileged: f.bool(1, { doc: 'Containers may be privileged.' }),
    defaultAddCapabilities: f.list(2, items.string, {
      doc: 'Capabilities added to every container that does not drop them.',
    }),
    requiredDropCapabilities: f.list(3, items.string, {
      doc: 'Capabilities that every container must drop.',
    }),
    allowedCapabilities: f.list(4, items.string, {
      doc: 'Capabilities that containers may request; `*` for all.',
    }),
    volumes: f.list(5, items.string, {
      doc: 'Kinds of volumes that pods may use; `*` for all, none when empty.',
    }),
    hostNetwork: f.bool(6, { doc: 'Pods may use the network of their node.' }),
    hostPorts: f.list(7, HostPortRange, { doc: 'Ports of the node that pods may use.' }),
    hostPID: f.bool(8, { doc: 'Pods may see the processes of their node.' }),
    hostIPC: f.bool(9, { doc: 'Pods may use the shared memory of their node.' }),
    seLinux: f.struct(10, SELinuxStrategyOptions, {
      doc: 'Allowed SELinux labels.',
      presence: 'always',
      openapiRequired: true,
    }),
    runAsUser: f.struct(11, RunAsUserStrategyOptions, {
      doc: 'Users that containers may run as.',
      presence: 'always',
      openapiRequired: true,
    }),
    runAsGroup: f.struct(22, RunAsGroupStrategyOptions, {
      doc: 'Main groups that containers may run with; any when absent.',
      presence: 'pointer',
    }),
    supplementalGroups: f.struct(12, SupplementalGroupsStrategyOptions, {
      doc: 'Further groups that containers may run with.',
      presence: 'always',
      openapiRequired: true,
    }),
    fsGroup: f.struct(13, FSGroupStrategyOptions, {
      doc: 'Groups that may own the volumes of a pod.',
      presence: 'always',
      openapiRequired: true,
    }),
    readOnlyRootFilesystem: f.bool(14, { doc: 'Containers cannot write to their own file system.' }),
    defaultAllowPrivilegeEscalation: f.bool(15, {
      doc: 'Whether processes may gain privileges when the container does not specify it.',
      presence: 'pointer',
    }),
    allowPrivilegeEscalation: f.bool(16, {
      doc: 'Whether containers may let processes gain privileges.',
      presence: 'pointer',
      default: true,
    }),
    allowedHostPaths: f.list(17, AllowedHostPath, {
      doc: 'Parts of the file system of the node that pods may mount; all when empty.',
    }),
    allowedFlexVolumes: f.list(18, AllowedFlexVolume, {
      doc: 'Drivers of flex volumes that pods may use; all when empty.',
      nameInErrors: 'allowedFlexVolumes.allowedFlexVolumes',
    }),
    allowedCSIDrivers: f.list(23, AllowedCSIDriver, {
      doc: 'CSI drivers that pods may use for inline volumes; all when empty.',
      nameInErrors: 'allowedCSIDrivers.allowedCSIDriver',
    }),
    allowedUnsafeSysctls: f.list(19, items.string, {
      doc: 'Unsafe kernel parameters that pods may set; a `*` at the end stands for any rest.',
    }),
    forbiddenSysctls: f.list(20, items.string, {
      doc: 'Kernel parameters that pods may not set; a `*` at the end stands for any rest.',
    }),
    allowedProcMountTypes: f.list(21, items.string, {
      doc: 'Ways to mount the proc file system; the default one only when empty.',
      enum: ['Default', 'Unmasked'],
      openapiEnum: 'never',
    }),
    runtimeClass: f.struct(24, RuntimeClassStrategyOptions, {
      doc: 'Allowed runtime classes; all when absent.',
      presence: 'pointer',
    }),
  },
  { checks: [checkPolicySpec] },
);

export const PodSecurityPolicy = struct(
  'policy.v1beta1.PodSecurityPolicy',
  'Bounds the privileges of pods whose creator or service account is authorized to use the policy.',
  {
    metadata: metadataField,
    spec: specField(PodSecurityPolicySpec),
  },
  { typeMeta: true },
);

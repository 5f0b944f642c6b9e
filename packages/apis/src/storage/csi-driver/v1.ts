import { f, items, type ListOptions, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';
import { checkDriverSpec } from './validation.ts';

export const TokenRequest = struct(
  'storage.v1.TokenRequest',
  'A token of the service account of a pod that a driver requires.',
  {
    audience: f.string(1, {
      doc: 'Intended audience of the token; the server itself when empty.',
      presence: 'always',
    }),
    expirationSeconds: f.int64(2, {
      doc: 'Validity of the token.',
      presence: 'pointer',
    }),
  },
);

/** Fields of a driver; how its list of modes is merged differs between versions. */
export const driverFields = (modes: ListOptions) =>
  ({
    attachRequired: f.bool(1, {
      doc: 'Whether volumes are attached to a node before they are mounted there.',
      presence: 'pointer',
      default: true,
    }),
    podInfoOnMount: f.bool(2, {
      doc: 'Whether the driver receives information about the pod when it mounts a volume.',
      presence: 'pointer',
      default: false,
    }),
    volumeLifecycleModes: f.list(3, items.string, {
      doc: 'Lifetimes of its volumes: Persistent for those of claims, Ephemeral for those that exist as long as a pod.',
      default: ['Persistent'],
      since: '1.16',
      ...modes,
    }),
    storageCapacity: f.bool(4, {
      doc: 'Whether the driver reports the storage capacity that is left, for scheduling.',
      presence: 'pointer',
      default: false,
      since: '1.21',
      gate: 'CSIStorageCapacity',
    }),
    fsGroupPolicy: f.string(5, {
      doc: 'When the group of files is changed to that of the pod: ReadWriteOnceWithFSType, File or None.',
      presence: 'pointer',
      default: 'ReadWriteOnceWithFSType',
      enum: ['ReadWriteOnceWithFSType', 'File', 'None'],
      openapiEnum: 'never',
      emptyIsInvalid: true,
      since: '1.20',
      gate: 'CSIVolumeFSGroupPolicy',
    }),
    tokenRequests: f.list(6, TokenRequest, {
      doc: 'Tokens of the service account of a pod that the driver receives when it mounts a volume for it.',
      listType: 'atomic',
      since: '1.21',
      gate: 'CSIServiceAccountToken',
    }),
    requiresRepublish: f.bool(7, {
      doc: 'Whether the driver is called periodically while a volume is mounted, to update its content.',
      presence: 'pointer',
      default: false,
      since: '1.21',
      gate: 'CSIServiceAccountToken',
    }),
    seLinuxMount: f.bool(8, {
      doc: 'Whether volumes can be mounted with separate SELinux contexts.',
      presence: 'pointer',
      default: false,
      since: '1.27',
      gate: 'SELinuxMountReadWriteOncePod',
    }),

    nodeAllocatableUpdatePeriodSeconds: f.int64(9, {
      doc: 'Seconds between updates of how many volumes a node can attach; at least 10.',
      presence: 'pointer',
      min: 10,
      since: '1.35',
      gate: 'MutableCSINodeAllocatableCount',
    }),
    serviceAccountTokenInSecrets: f.bool(10, {
      doc: 'Whether tokens are passed as secrets instead of volume context.',
      presence: 'pointer',
      since: '1.35',
      gate: 'CSIServiceAccountTokenSecrets',
    }),
    preventPodSchedulingIfMissing: f.bool(11, {
      doc: 'Whether pods are not placed on nodes without the driver.',
      presence: 'pointer',
      default: false,
      since: '1.37',
      gate: 'VolumeLimitScaling',
      gatedSince: '1.36',
    }),
  }) as const;

export const CSIDriverSpec = struct(
  'storage.v1.CSIDriverSpec',
  'Capabilities and requirements of a storage driver.',
  driverFields({ listType: 'set' }),
  { checks: [checkDriverSpec] },
);

export const CSIDriver = struct(
  'storage.v1.CSIDriver',
  'A driver that provides volumes through the container storage interface. Its name is that of the driver.',
  {
    metadata: metadataField,
    spec: f.struct(2, CSIDriverSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
  { typeMeta: true },
);

import { f, items, struct } from '@orch/schema';
import { fsTypeField, partitionField, readOnlyField } from './source-fields.ts';
import { checkAzureDisk, checkFc, checkHostPath } from './validation.ts';

export const GCEPersistentDiskVolumeSource = struct(
  'core.v1.GCEPersistentDiskVolumeSource',
  'Location of a disk of Google Compute Engine, with the options of its mount.',
  {
    pdName: f.string(1, { doc: 'Name of the disk.', presence: 'always', required: true }),
    fsType: fsTypeField(2),
    partition: partitionField(3),
    readOnly: readOnlyField(4),
  },
);

export const AWSElasticBlockStoreVolumeSource = struct(
  'core.v1.AWSElasticBlockStoreVolumeSource',
  'An AWS disk, in the zone of the node.',
  {
    volumeID: f.string(1, { doc: 'Identity of the disk.', presence: 'always', required: true }),
    fsType: fsTypeField(2),
    partition: partitionField(3),
    readOnly: readOnlyField(4),
  },
);

export const AzureDiskVolumeSource = struct(
  'core.v1.AzureDiskVolumeSource',
  'Location of an Azure disk, with the options of its mount.',
  {
    diskName: f.string(1, { doc: 'Name of the disk.', presence: 'always', required: true }),
    diskURI: f.string(2, { doc: 'Address of the disk.', presence: 'always', required: true }),
    cachingMode: f.string(3, {
      doc: 'None, ReadOnly or ReadWrite.',
      presence: 'pointer',
      default: 'ReadWrite',
      enum: ['None', 'ReadOnly', 'ReadWrite'],
      openapiEnum: { since: '1.27' },
    }),
    fsType: fsTypeField(4, { presence: 'pointer', default: 'ext4' }),
    readOnly: readOnlyField(5, { presence: 'pointer', default: false }),
    kind: f.string(6, {
      doc: 'Shared, Dedicated or Managed.',
      presence: 'pointer',
      default: 'Shared',
      enum: ['Dedicated', 'Managed', 'Shared'],
      openapiEnum: { since: '1.27' },
    }),
  },
  { checks: [checkAzureDisk] },
);

export const VsphereVirtualDiskVolumeSource = struct(
  'core.v1.VsphereVirtualDiskVolumeSource',
  'Location of a vSphere disk, with the options of its mount.',
  {
    volumePath: f.string(1, { doc: 'Path of the disk.', presence: 'always', required: true }),
    fsType: fsTypeField(2),
    storagePolicyName: f.string(3, { doc: 'Name of the storage policy.' }),
    storagePolicyID: f.string(4, { doc: 'Identity of the storage policy.' }),
  },
);

export const PhotonPersistentDiskVolumeSource = struct(
  'core.v1.PhotonPersistentDiskVolumeSource',
  'Location of a Photon disk, with the options of its mount.',
  {
    pdID: f.string(1, { doc: 'Identity of the disk.', presence: 'always', required: true }),
    fsType: fsTypeField(2),
  },
);

export const FCVolumeSource = struct(
  'core.v1.FCVolumeSource',
  'Location of a Fibre Channel disk, with the options of its mount.',
  {
    targetWWNs: f.list(1, items.string, { doc: 'World wide names of the targets.' }),
    lun: f.int32(2, { doc: 'Number of the logical unit.', presence: 'pointer' }),
    fsType: fsTypeField(3),
    readOnly: readOnlyField(4),
    wwids: f.list(5, items.string, { doc: 'World wide identifiers, instead of targetWWNs and lun.' }),
  },
  { checks: [checkFc] },
);

const hostPathTypes = [
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export const HostPathVolumeSource = struct(
  'core.v1.HostPathVolumeSource',
  'A file or directory of the node. Gives pods access to the node, which is a security risk.',
  {
    path: f.string(1, { doc: 'Path on the node.', presence: 'always', required: true }),
    type: f.string(2, {
      doc: 'Type of the file that must exist at the path, or is created there.',
      presence: 'pointer',
      default: '',
      enum: hostPathTypes,
      openapiEnum: { since: '1.27', values: ['', ...hostPathTypes] },
    }),
  },
  { checks: [checkHostPath] },
);

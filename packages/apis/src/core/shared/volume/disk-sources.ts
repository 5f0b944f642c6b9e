import { f, items, struct } from '@orch/schema';
import { checkAzureDisk, checkFc, checkHostPath } from './validation.ts';

export const GCEPersistentDiskVolumeSource = struct(
  'core.v1.GCEPersistentDiskVolumeSource',
  'Location of a disk of Google Compute Engine, with the options of its mount.',
  {
    pdName: f.string(1, { doc: 'Name of the disk.', presence: 'always', required: true }),
    fsType: f.string(2, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
    partition: f.int32(3, { doc: 'Partition to mount; the whole device when 0.', min: 0, max: 255 }),
    readOnly: f.bool(4, { doc: 'Mounts without permission to write.' }),
  },
);

export const AWSElasticBlockStoreVolumeSource = struct(
  'core.v1.AWSElasticBlockStoreVolumeSource',
  'An AWS disk, in the zone of the node.',
  {
    volumeID: f.string(1, { doc: 'Identity of the disk.', presence: 'always', required: true }),
    fsType: f.string(2, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
    partition: f.int32(3, { doc: 'Partition to mount; the whole device when 0.', min: 0, max: 255 }),
    readOnly: f.bool(4, { doc: 'Mounts without permission to write.' }),
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
    }),
    fsType: f.string(4, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
      presence: 'pointer',
      default: 'ext4',
    }),
    readOnly: f.bool(5, { doc: 'Mounts without permission to write.', presence: 'pointer', default: false }),
    kind: f.string(6, {
      doc: 'Shared, Dedicated or Managed.',
      presence: 'pointer',
      default: 'Shared',
      enum: ['Dedicated', 'Managed', 'Shared'],
    }),
  },
  { checks: [checkAzureDisk] },
);

export const VsphereVirtualDiskVolumeSource = struct(
  'core.v1.VsphereVirtualDiskVolumeSource',
  'Location of a vSphere disk, with the options of its mount.',
  {
    volumePath: f.string(1, { doc: 'Path of the disk.', presence: 'always', required: true }),
    fsType: f.string(2, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
    storagePolicyName: f.string(3, { doc: 'Name of the storage policy.' }),
    storagePolicyID: f.string(4, { doc: 'Identity of the storage policy.' }),
  },
);

export const PhotonPersistentDiskVolumeSource = struct(
  'core.v1.PhotonPersistentDiskVolumeSource',
  'Location of a Photon disk, with the options of its mount.',
  {
    pdID: f.string(1, { doc: 'Identity of the disk.', presence: 'always', required: true }),
    fsType: f.string(2, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
  },
);

export const FCVolumeSource = struct(
  'core.v1.FCVolumeSource',
  'Location of a Fibre Channel disk, with the options of its mount.',
  {
    targetWWNs: f.list(1, items.string, { doc: 'World wide names of the targets.' }),
    lun: f.int32(2, { doc: 'Number of the logical unit.', presence: 'pointer' }),
    fsType: f.string(3, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
    readOnly: f.bool(4, { doc: 'Mounts without permission to write.' }),
    wwids: f.list(5, items.string, { doc: 'World wide identifiers, instead of targetWWNs and lun.' }),
  },
  { checks: [checkFc] },
);

export const HostPathVolumeSource = struct(
  'core.v1.HostPathVolumeSource',
  'A file or directory of the node. Gives pods access to the node: better avoided.',
  {
    path: f.string(1, { doc: 'Path on the node.', presence: 'always', required: true }),
    type: f.string(2, {
      doc: 'What has to be there, or is to be made.',
      presence: 'pointer',
      default: '',
      enum: ['BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
    }),
  },
  { checks: [checkHostPath] },
);

import { f, items, struct } from '@orch/schema';
import { SecretReference } from '../shared/references.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  PhotonPersistentDiskVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from '../shared/volume/disk-sources.ts';
import {
  FlockerVolumeSource,
  NFSVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
} from '../shared/volume/network-sources.ts';
import {
  AzureFilePersistentVolumeSource,
  CephFSPersistentVolumeSource,
  CinderPersistentVolumeSource,
  FlexPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  RBDPersistentVolumeSource,
  ScaleIOPersistentVolumeSource,
  StorageOSPersistentVolumeSource,
} from './network-sources.ts';
import { checkCsiSecrets } from './validation.ts';

export const LocalVolumeSource = struct(
  'core.v1.LocalVolumeSource',
  'A disk, partition or directory of one node.',
  {
    path: f.string(1, { doc: 'Path on the node.', presence: 'always', required: true }),
    fsType: f.string(2, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
      presence: 'pointer',
    }),
  },
);

export const CSIPersistentVolumeSource = struct(
  'core.v1.CSIPersistentVolumeSource',
  'Location of a volume of a CSI driver, with the options of its mount.',
  {
    driver: f.string(1, {
      doc: 'Name of the driver.',
      presence: 'always',
      required: true,
      format: 'csiDriverName',
      emptyIsInvalid: true,
    }),
    volumeHandle: f.string(2, {
      doc: 'How the driver calls the volume; cannot change.',
      presence: 'always',
      required: true,
    }),
    readOnly: f.bool(3, { doc: 'Mounts without permission to write.' }),
    fsType: f.string(4, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
    volumeAttributes: f.map(5, items.string, { doc: 'What the driver wants to know when mounting.' }),
    controllerPublishSecretRef: f.struct(6, SecretReference, {
      doc: 'Secret for attaching and detaching.',
      presence: 'pointer',
    }),
    nodeStageSecretRef: f.struct(7, SecretReference, {
      doc: 'Secret for staging on a node.',
      presence: 'pointer',
    }),
    nodePublishSecretRef: f.struct(8, SecretReference, {
      doc: 'Secret for mounting into a pod.',
      presence: 'pointer',
    }),
    controllerExpandSecretRef: f.struct(9, SecretReference, {
      doc: 'Secret for growing the volume.',
      presence: 'pointer',
    }),
    nodeExpandSecretRef: f.struct(10, SecretReference, {
      doc: 'Secret for growing the volume on a node.',
      presence: 'pointer',
      since: '1.27',
      gate: 'CSINodeExpandSecret',
    }),
  },
  { checks: [checkCsiSecrets] },
);

export const PersistentVolumeSource = struct(
  'core.v1.PersistentVolumeSource',
  'Where the storage is; exactly one member is set.',
  {
    gcePersistentDisk: f.struct(1, GCEPersistentDiskVolumeSource, {
      doc: 'A disk of Google Compute Engine.',
      presence: 'pointer',
    }),
    awsElasticBlockStore: f.struct(2, AWSElasticBlockStoreVolumeSource, {
      doc: 'An AWS disk.',
      presence: 'pointer',
    }),
    hostPath: f.struct(3, HostPathVolumeSource, {
      doc: 'A directory of the node, for tests on a single one.',
      presence: 'pointer',
    }),
    glusterfs: f.struct(4, GlusterfsPersistentVolumeSource, {
      doc: 'A Glusterfs volume.',
      presence: 'pointer',
    }),
    nfs: f.struct(5, NFSVolumeSource, { doc: 'An NFS export.', presence: 'pointer' }),
    rbd: f.struct(6, RBDPersistentVolumeSource, { doc: 'A Ceph block device.', presence: 'pointer' }),
    iscsi: f.struct(7, ISCSIPersistentVolumeSource, { doc: 'An iSCSI disk.', presence: 'pointer' }),
    cinder: f.struct(8, CinderPersistentVolumeSource, { doc: 'An OpenStack volume.', presence: 'pointer' }),
    cephfs: f.struct(9, CephFSPersistentVolumeSource, { doc: 'A Ceph file system.', presence: 'pointer' }),
    fc: f.struct(10, FCVolumeSource, { doc: 'A Fibre Channel disk.', presence: 'pointer' }),
    flocker: f.struct(11, FlockerVolumeSource, { doc: 'A Flocker volume.', presence: 'pointer' }),
    flexVolume: f.struct(12, FlexPersistentVolumeSource, {
      doc: 'A volume of an exec based driver.',
      presence: 'pointer',
    }),
    azureFile: f.struct(13, AzureFilePersistentVolumeSource, {
      doc: 'An Azure file share.',
      presence: 'pointer',
    }),
    vsphereVolume: f.struct(14, VsphereVirtualDiskVolumeSource, {
      doc: 'A vSphere disk.',
      presence: 'pointer',
    }),
    quobyte: f.struct(15, QuobyteVolumeSource, { doc: 'A Quobyte volume.', presence: 'pointer' }),
    azureDisk: f.struct(16, AzureDiskVolumeSource, { doc: 'An Azure disk.', presence: 'pointer' }),
    photonPersistentDisk: f.struct(17, PhotonPersistentDiskVolumeSource, {
      doc: 'A Photon disk.',
      presence: 'pointer',
    }),
    portworxVolume: f.struct(18, PortworxVolumeSource, { doc: 'A Portworx volume.', presence: 'pointer' }),
    scaleIO: f.struct(19, ScaleIOPersistentVolumeSource, { doc: 'A ScaleIO volume.', presence: 'pointer' }),
    local: f.struct(20, LocalVolumeSource, { doc: 'Storage of one node.', presence: 'pointer' }),
    storageos: f.struct(21, StorageOSPersistentVolumeSource, {
      doc: 'A StorageOS volume.',
      presence: 'pointer',
    }),
    csi: f.struct(22, CSIPersistentVolumeSource, { doc: 'A volume of a CSI driver.', presence: 'pointer' }),
  },
);

import { f, items, struct } from '@orch/schema';
import { ObjectReference, SecretReference } from '../references.ts';
import { checkCsiSecrets } from '../validation/persistent-volume.ts';
import { checkIscsi } from '../validation/volume.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  PhotonPersistentDiskVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './disk-sources.ts';
import {
  FlockerVolumeSource,
  NFSVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
} from './network-sources.ts';

export const GlusterfsPersistentVolumeSource = struct(
  'core.v1.GlusterfsPersistentVolumeSource',
  'A Glusterfs volume.',
  {
    endpoints: f.string(1, {
      doc: 'Endpoints object that names the servers.',
      presence: 'always',
      required: true,
    }),
    path: f.string(2, { doc: 'Name of the volume.', presence: 'always', required: true }),
    readOnly: f.bool(3, { doc: 'Mounts without permission to write.' }),
    endpointsNamespace: f.string(4, {
      doc: 'Namespace of the endpoints; that of the claim when absent.',
      presence: 'pointer',
    }),
  },
);

export const RBDPersistentVolumeSource = struct('core.v1.RBDPersistentVolumeSource', 'A Ceph block device.', {
  monitors: f.list(1, items.string, {
    doc: 'Addresses of Ceph monitors.',
    presence: 'always',
    required: true,
  }),
  image: f.string(2, { doc: 'Name of the image.', presence: 'always', required: true }),
  fsType: f.string(3, {
    doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
  }),
  pool: f.string(4, { doc: 'Name of the pool.', default: 'rbd' }),
  user: f.string(5, { doc: 'Name of the user.', default: 'admin' }),
  keyring: f.string(6, { doc: 'Path of the key ring on the node.', default: '/etc/ceph/keyring' }),
  secretRef: f.struct(7, SecretReference, {
    doc: 'Secret with the credentials that the storage asks for.',
    presence: 'pointer',
  }),
  readOnly: f.bool(8, { doc: 'Mounts without permission to write.' }),
});

export const ISCSIPersistentVolumeSource = struct(
  'core.v1.ISCSIPersistentVolumeSource',
  'An iSCSI disk.',
  {
    targetPortal: f.string(1, {
      doc: 'Address of the target, with port when it is not the usual one.',
      presence: 'always',
      required: true,
    }),
    iqn: f.string(2, { doc: 'Qualified name of the target.', presence: 'always', required: true }),
    lun: f.int32(3, { doc: 'Number of the logical unit.', presence: 'always', min: 0, max: 255 }),
    iscsiInterface: f.string(4, { doc: 'Interface to use.', default: 'default' }),
    fsType: f.string(5, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
    readOnly: f.bool(6, { doc: 'Mounts without permission to write.' }),
    portals: f.list(7, items.string, { doc: 'Further addresses of the target.' }),
    chapAuthDiscovery: f.bool(8, { doc: 'Discovery uses CHAP authentication.' }),
    chapAuthSession: f.bool(11, { doc: 'Sessions use CHAP authentication.' }),
    secretRef: f.struct(10, SecretReference, {
      doc: 'Secret with the credentials that the storage asks for.',
      presence: 'pointer',
    }),
    initiatorName: f.string(12, { doc: 'Name of the initiator.', presence: 'pointer' }),
  },
  { checks: [checkIscsi] },
);

export const CinderPersistentVolumeSource = struct(
  'core.v1.CinderPersistentVolumeSource',
  'An OpenStack volume.',
  {
    volumeID: f.string(1, { doc: 'Identity of the volume.', presence: 'always', required: true }),
    fsType: f.string(2, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
    readOnly: f.bool(3, { doc: 'Mounts without permission to write.' }),
    secretRef: f.struct(4, SecretReference, {
      doc: 'Secret with the credentials that the storage asks for.',
      presence: 'pointer',
    }),
  },
);

export const CephFSPersistentVolumeSource = struct(
  'core.v1.CephFSPersistentVolumeSource',
  'A Ceph file system.',
  {
    monitors: f.list(1, items.string, {
      doc: 'Addresses of Ceph monitors.',
      presence: 'always',
      required: true,
    }),
    path: f.string(2, { doc: 'Directory to mount.' }),
    user: f.string(3, { doc: 'Name of the user.' }),
    secretFile: f.string(4, { doc: 'Path of the key on the node.' }),
    secretRef: f.struct(5, SecretReference, {
      doc: 'Secret with the credentials that the storage asks for.',
      presence: 'pointer',
    }),
    readOnly: f.bool(6, { doc: 'Mounts without permission to write.' }),
  },
);

export const FlexPersistentVolumeSource = struct(
  'core.v1.FlexPersistentVolumeSource',
  'A volume of an exec based driver.',
  {
    driver: f.string(1, { doc: 'Name of the driver.', presence: 'always', required: true }),
    fsType: f.string(2, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
    secretRef: f.struct(3, SecretReference, {
      doc: 'Secret with the credentials that the storage asks for.',
      presence: 'pointer',
    }),
    readOnly: f.bool(4, { doc: 'Mounts without permission to write.' }),
    options: f.map(5, items.string, { doc: 'Options for the driver.' }),
  },
);

export const AzureFilePersistentVolumeSource = struct(
  'core.v1.AzureFilePersistentVolumeSource',
  'An Azure file share.',
  {
    secretName: f.string(1, {
      doc: 'Secret with the account and its key.',
      presence: 'always',
      required: true,
    }),
    shareName: f.string(2, { doc: 'Name of the share.', presence: 'always', required: true }),
    readOnly: f.bool(3, { doc: 'Mounts without permission to write.' }),
    secretNamespace: f.string(4, {
      doc: 'Namespace of the secret; that of the pod when absent.',
      nullable: true,
      presence: 'always',
      openapiRequired: false,
    }),
  },
);

export const ScaleIOPersistentVolumeSource = struct(
  'core.v1.ScaleIOPersistentVolumeSource',
  'A ScaleIO volume.',
  {
    gateway: f.string(1, { doc: 'Address of the gateway.', presence: 'always', required: true }),
    system: f.string(2, { doc: 'Name of the system.', presence: 'always', required: true }),
    secretRef: f.struct(3, SecretReference, {
      doc: 'Secret with the credentials that the storage asks for.',
      nullable: true,
      presence: 'always',
      openapiRequired: true,
    }),
    sslEnabled: f.bool(4, { doc: 'Talks TLS to the gateway.' }),
    protectionDomain: f.string(5, { doc: 'Name of the protection domain.' }),
    storagePool: f.string(6, { doc: 'Storage pool of the domain.' }),
    storageMode: f.string(7, { doc: 'ThickProvisioned or ThinProvisioned.', default: 'ThinProvisioned' }),
    volumeName: f.string(8, { doc: 'Name of the volume.', required: true }),
    fsType: f.string(9, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
      default: 'xfs',
    }),
    readOnly: f.bool(10, { doc: 'Mounts without permission to write.' }),
  },
);

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

export const StorageOSPersistentVolumeSource = struct(
  'core.v1.StorageOSPersistentVolumeSource',
  'A StorageOS volume.',
  {
    volumeName: f.string(1, { doc: 'Name of the volume.' }),
    volumeNamespace: f.string(2, { doc: 'StorageOS namespace of the volume.' }),
    fsType: f.string(3, {
      doc: 'File system that the volume holds, such as ext4 or xfs. The node picks its usual one when empty.',
    }),
    readOnly: f.bool(4, { doc: 'Mounts without permission to write.' }),
    secretRef: f.struct(5, ObjectReference, {
      doc: 'Secret with the credentials that the storage asks for.',
      presence: 'pointer',
    }),
  },
);

export const CSIPersistentVolumeSource = struct(
  'core.v1.CSIPersistentVolumeSource',
  'A volume of a CSI driver.',
  {
    driver: f.string(1, {
      doc: 'Name of the driver.',
      presence: 'always',
      required: true,
      format: 'csiDriverName',
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

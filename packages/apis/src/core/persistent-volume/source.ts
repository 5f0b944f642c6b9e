import { f, items, struct } from '@orch/schema';
import { SecretReference } from '../shared/references.ts';
import { HostPathVolumeSource } from '../shared/volume/disk-sources.ts';
import { sharedSources } from '../shared/volume/shared-sources.ts';
import { fsTypeField, readOnlyField } from '../shared/volume/source-fields.ts';
import { onlyFirst, volumeSources } from '../shared/volume/source-order.ts';
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
    fsType: fsTypeField(2, { presence: 'pointer' }),
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
      emptyIsInvalid: { until: '1.35' },
    }),
    volumeHandle: f.string(2, {
      doc: 'Identifier of the volume for the driver; cannot change.',
      presence: 'always',
      required: true,
    }),
    readOnly: readOnlyField(3),
    fsType: fsTypeField(4),
    volumeAttributes: f.map(5, items.string, { doc: 'Attributes for the driver when it mounts the volume.' }),
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
      doc: 'Secret for expanding the volume.',
      presence: 'pointer',
    }),
    nodeExpandSecretRef: f.struct(10, SecretReference, {
      doc: 'Secret for expanding the volume on a node.',
      presence: 'pointer',
      since: '1.27',
      gate: 'CSINodeExpandSecret',
    }),
  },
  { checks: [checkCsiSecrets] },
);

export const PersistentVolumeSource = struct(
  'core.v1.PersistentVolumeSource',
  'Where the storage is; exactly one field is set.',
  {
    ...onlyFirst(volumeSources, {
      gcePersistentDisk: sharedSources.gcePersistentDisk(1),
      awsElasticBlockStore: sharedSources.awsElasticBlockStore(2),
      hostPath: f.struct(3, HostPathVolumeSource, {
        doc: 'A directory of the node, for tests on a single one.',
        presence: 'pointer',
      }),
      glusterfs: f.struct(4, GlusterfsPersistentVolumeSource, {
        doc: 'A Glusterfs volume.',
        presence: 'pointer',
      }),
      nfs: sharedSources.nfs(5),
      rbd: f.struct(6, RBDPersistentVolumeSource, { doc: 'A Ceph block device.', presence: 'pointer' }),
      iscsi: f.struct(7, ISCSIPersistentVolumeSource, { doc: 'An iSCSI disk.', presence: 'pointer' }),
      cinder: f.struct(8, CinderPersistentVolumeSource, { doc: 'An OpenStack volume.', presence: 'pointer' }),
      cephfs: f.struct(9, CephFSPersistentVolumeSource, { doc: 'A Ceph file system.', presence: 'pointer' }),
      fc: sharedSources.fc(10),
      flocker: sharedSources.flocker(11),
    }),
    flexVolume: f.struct(12, FlexPersistentVolumeSource, {
      doc: 'A volume of an exec based driver.',
      presence: 'pointer',
    }),
    ...onlyFirst(volumeSources, {
      azureFile: f.struct(13, AzureFilePersistentVolumeSource, {
        doc: 'An Azure file share.',
        presence: 'pointer',
      }),
      vsphereVolume: sharedSources.vsphereVolume(14),
      quobyte: sharedSources.quobyte(15),
      azureDisk: sharedSources.azureDisk(16),
      photonPersistentDisk: sharedSources.photonPersistentDisk(17),
      portworxVolume: sharedSources.portworxVolume(18),
      scaleIO: f.struct(19, ScaleIOPersistentVolumeSource, { doc: 'A ScaleIO volume.', presence: 'pointer' }),
      local: f.struct(20, LocalVolumeSource, { doc: 'Storage of one node.', presence: 'pointer' }),
      storageos: f.struct(21, StorageOSPersistentVolumeSource, {
        doc: 'A StorageOS volume.',
        presence: 'pointer',
      }),
      csi: f.struct(22, CSIPersistentVolumeSource, { doc: 'A volume of a CSI driver.', presence: 'pointer' }),
    }),
  },
);

import type { EmptyDirVolumeSource as EmptyDirVolume, Volume as VolumeValue } from '@orch/kinds/core';
import { f, struct } from '@orch/schema';
import {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  GitRepoVolumeSource,
  ImageVolumeSource,
  PersistentVolumeClaimVolumeSource,
  ProjectedVolumeSource,
  SecretVolumeSource,
} from './content-sources.ts';
import { HostPathVolumeSource } from './disk-sources.ts';
import {
  AzureFileVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  CSIVolumeSource,
  FlexVolumeSource,
  GlusterfsVolumeSource,
  ISCSIVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  StorageOSVolumeSource,
} from './pod-network-sources.ts';
import { sharedSources } from './shared-sources.ts';
import { onlyFirst, podSources } from './source-order.ts';
import { checkVolume } from './validation.ts';

/** Fields of a volume that are not sources. */
const notSources = new Set(['name']);

/** `emptyDir: {}` for a volume without a source. */
export const emptyDirWithoutSource = (volume: VolumeValue): EmptyDirVolume | undefined =>
  Object.keys(volume).some((field) => !notSources.has(field)) ? undefined : {};

const VolumeSource = struct(
  'core.v1.VolumeSource',
  'Source of a volume; exactly one field is set, or an empty directory is used.',
  onlyFirst(podSources, {
    hostPath: f.struct(1, HostPathVolumeSource, {
      doc: 'A file or directory of the node.',
      presence: 'pointer',
    }),
    emptyDir: f.struct(2, EmptyDirVolumeSource, {
      doc: 'An initially empty directory.',
      presence: 'pointer',
      default: emptyDirWithoutSource,
    }),
    gcePersistentDisk: sharedSources.gcePersistentDisk(3),
    awsElasticBlockStore: sharedSources.awsElasticBlockStore(4),
    gitRepo: f.struct(5, GitRepoVolumeSource, {
      doc: 'A checkout of a git repository.',
      presence: 'pointer',
      deprecated: 'Fetch in an init container.',
    }),
    secret: f.struct(6, SecretVolumeSource, {
      doc: 'Files with the values of a secret.',
      presence: 'pointer',
    }),
    nfs: sharedSources.nfs(7),
    iscsi: f.struct(8, ISCSIVolumeSource, { doc: 'An iSCSI disk.', presence: 'pointer' }),
    glusterfs: f.struct(9, GlusterfsVolumeSource, { doc: 'A Glusterfs volume.', presence: 'pointer' }),
    persistentVolumeClaim: f.struct(10, PersistentVolumeClaimVolumeSource, {
      doc: 'The volume of a claim.',
      presence: 'pointer',
    }),
    rbd: f.struct(11, RBDVolumeSource, { doc: 'A Ceph block device.', presence: 'pointer' }),
    flexVolume: f.struct(12, FlexVolumeSource, {
      doc: 'A volume of an exec based driver.',
      presence: 'pointer',
    }),
    cinder: f.struct(13, CinderVolumeSource, { doc: 'An OpenStack volume.', presence: 'pointer' }),
    cephfs: f.struct(14, CephFSVolumeSource, { doc: 'A Ceph file system.', presence: 'pointer' }),
    flocker: sharedSources.flocker(15),
    downwardAPI: f.struct(16, DownwardAPIVolumeSource, {
      doc: 'Files with fields of the pod.',
      presence: 'pointer',
    }),
    fc: sharedSources.fc(17),
    azureFile: f.struct(18, AzureFileVolumeSource, { doc: 'An Azure file share.', presence: 'pointer' }),
    configMap: f.struct(19, ConfigMapVolumeSource, {
      doc: 'Files with the values of a config map.',
      presence: 'pointer',
    }),
    vsphereVolume: sharedSources.vsphereVolume(20),
    quobyte: sharedSources.quobyte(21),
    azureDisk: sharedSources.azureDisk(22),
    photonPersistentDisk: sharedSources.photonPersistentDisk(23),
    projected: f.struct(26, ProjectedVolumeSource, {
      doc: 'Several sources in one directory.',
      presence: 'pointer',
    }),
    portworxVolume: sharedSources.portworxVolume(24),
    scaleIO: f.struct(25, ScaleIOVolumeSource, { doc: 'A ScaleIO volume.', presence: 'pointer' }),
    storageos: f.struct(27, StorageOSVolumeSource, { doc: 'A StorageOS volume.', presence: 'pointer' }),
    csi: f.struct(28, CSIVolumeSource, { doc: 'Storage that a CSI driver provides.', presence: 'pointer' }),
    ephemeral: f.struct(29, EphemeralVolumeSource, {
      doc: 'A claim that is created for the pod.',
      presence: 'pointer',
      since: '1.21',
      gate: 'GenericEphemeralVolume',
    }),

    image: f.struct(30, ImageVolumeSource, {
      doc: 'Content of an image or artifact.',
      presence: 'pointer',
      since: '1.35',
      gate: 'ImageVolume',
    }),
  }),
);

export const Volume = struct(
  'core.v1.Volume',
  'A directory that containers of the pod can mount.',
  {
    name: f.string(1, {
      doc: 'Name within the pod.',
      presence: 'always',
      required: true,
      format: 'dns1123label',
    }),
    volumeSource: f.inline(2, VolumeSource, { protoName: 'volumeSource' }),
  },
  { checks: [checkVolume] },
);

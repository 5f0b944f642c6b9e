import { f, items, struct } from '@orch/schema';
import { LocalObjectReference } from '../references.ts';
import {
  azureFileSource,
  cephFsSource,
  cinderSource,
  flexSource,
  glusterfsSource,
  iscsiSource,
  rbdSource,
  scaleIoSource,
  storageOsSource,
} from './network-source-builders.ts';
import { fsTypeField, readOnlyField } from './source-fields.ts';

export const ISCSIVolumeSource = iscsiSource('ISCSIVolumeSource', LocalObjectReference);

export const GlusterfsVolumeSource = glusterfsSource('GlusterfsVolumeSource');

export const RBDVolumeSource = rbdSource('RBDVolumeSource', LocalObjectReference);

export const FlexVolumeSource = flexSource('FlexVolumeSource', LocalObjectReference);

export const CinderVolumeSource = cinderSource('CinderVolumeSource', LocalObjectReference);

export const CephFSVolumeSource = cephFsSource('CephFSVolumeSource', LocalObjectReference);

export const AzureFileVolumeSource = azureFileSource('AzureFileVolumeSource');

export const ScaleIOVolumeSource = scaleIoSource('ScaleIOVolumeSource', LocalObjectReference);

export const StorageOSVolumeSource = storageOsSource('StorageOSVolumeSource', LocalObjectReference);

export const CSIVolumeSource = struct(
  'core.v1.CSIVolumeSource',
  'Storage that a CSI driver provides for one pod.',
  {
    driver: f.string(1, {
      doc: 'Name of the driver.',
      presence: 'always',
      required: true,
      format: 'csiDriverName',
      emptyIsInvalid: { until: '1.35' },
    }),
    readOnly: readOnlyField(2, { presence: 'pointer' }),
    fsType: fsTypeField(3, { presence: 'pointer' }),
    volumeAttributes: f.map(4, items.string, { doc: 'Attributes for the driver when it mounts the volume.' }),
    nodePublishSecretRef: f.struct(5, LocalObjectReference, {
      doc: 'Secret for mounting into the pod.',
      presence: 'pointer',
    }),
  },
);

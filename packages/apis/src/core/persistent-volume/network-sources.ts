import { f } from '@orch/schema';
import { ObjectReference, SecretReference } from '../shared/references.ts';
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
} from '../shared/volume/network-source-builders.ts';

export const GlusterfsPersistentVolumeSource = glusterfsSource('GlusterfsPersistentVolumeSource', {
  endpointsNamespace: f.string(4, {
    doc: 'Namespace of the endpoints; that of the claim when absent.',
    presence: 'pointer',
    format: 'dns1123label',
  }),
});

export const RBDPersistentVolumeSource = rbdSource('RBDPersistentVolumeSource', SecretReference);

export const ISCSIPersistentVolumeSource = iscsiSource('ISCSIPersistentVolumeSource', SecretReference);

export const CinderPersistentVolumeSource = cinderSource('CinderPersistentVolumeSource', SecretReference);

export const CephFSPersistentVolumeSource = cephFsSource('CephFSPersistentVolumeSource', SecretReference);

export const FlexPersistentVolumeSource = flexSource('FlexPersistentVolumeSource', SecretReference);

export const AzureFilePersistentVolumeSource = azureFileSource('AzureFilePersistentVolumeSource', {
  secretNamespace: f.string(4, {
    doc: 'Namespace of the secret; that of the pod when absent.',
    nullable: true,
    presence: 'always',
    openapiRequired: false,
  }),
});

export const ScaleIOPersistentVolumeSource = scaleIoSource('ScaleIOPersistentVolumeSource', SecretReference);

export const StorageOSPersistentVolumeSource = storageOsSource(
  'StorageOSPersistentVolumeSource',
  ObjectReference,
);

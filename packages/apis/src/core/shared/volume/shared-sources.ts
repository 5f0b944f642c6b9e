import { f, type StructSchema } from '@orch/schema';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  GCEPersistentDiskVolumeSource,
  PhotonPersistentDiskVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './disk-sources.ts';
import {
  FlockerVolumeSource,
  NFSVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
} from './network-sources.ts';

const source =
  (schema: StructSchema, doc: string, options: { readonly nameInErrors?: string } = {}) =>
  (num: number) =>
    f.struct(num, schema, { doc, presence: 'pointer', ...options });

/** Sources that are the same in pods and persistent volumes except for their Protobuf numbers. */
export const sharedSources = {
  gcePersistentDisk: source(GCEPersistentDiskVolumeSource, 'A disk of Google Compute Engine.', {
    nameInErrors: 'persistentDisk',
  }),
  awsElasticBlockStore: source(AWSElasticBlockStoreVolumeSource, 'An AWS disk.'),
  nfs: source(NFSVolumeSource, 'An NFS export.'),
  fc: source(FCVolumeSource, 'A Fibre Channel disk.'),
  flocker: source(FlockerVolumeSource, 'A Flocker volume.'),
  vsphereVolume: source(VsphereVirtualDiskVolumeSource, 'A vSphere disk.'),
  quobyte: source(QuobyteVolumeSource, 'A Quobyte volume.'),
  azureDisk: source(AzureDiskVolumeSource, 'An Azure disk.'),
  photonPersistentDisk: source(PhotonPersistentDiskVolumeSource, 'A Photon disk.'),
  portworxVolume: source(PortworxVolumeSource, 'A Portworx volume.'),
};

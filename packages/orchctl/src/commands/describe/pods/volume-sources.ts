import { asNumber, asObject, asStringMap, asStrings, asText, type JsonObject } from '@orch/machinery/json';
import { goText } from '../text/values.ts';

/** The description of a volume source. */
export interface SourceText {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Where a source occurs: fields of persistent volumes differ in a few sources. */
export type SourcePlace = 'pod' | 'persistentVolume';

/** A reference to a secret; those of persistent volumes have a namespace. */
function reference(value: unknown, place: SourcePlace): string {
  if (value === undefined || value === null) return 'nil';
  const { name, namespace } = asObject(value);
  return place === 'pod'
    ? `&LocalObjectReference{Name:${asText(name)},}`
    : `&SecretReference{Name:${asText(name)},Namespace:${asText(namespace)},}`;
}

/** A field of a source with the default of its type. */
const text = (source: JsonObject, field: string): string => asText(source[field]);
const flag = (source: JsonObject, field: string): boolean => source[field] === true;
const number = (source: JsonObject, field: string): number => asNumber(source[field]);
const list = (source: JsonObject, field: string): string => goText(asStrings(source[field]));

/** Types of sources that are described by lists. */
export const titles = {
  downwardAPI: 'DownwardAPI (a volume populated by information about the pod)',
  projected: 'Projected (a volume that contains injected data from multiple sources)',
  ephemeral:
    'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
} as const;

/** The texts of volume sources by their field: those of pods and of persistent volumes. */
export const sourceTexts: Readonly<Record<string, (source: JsonObject, place: SourcePlace) => SourceText>> = {
  hostPath: (s) => ({
    type: 'HostPath (bare host directory volume)',
    fields: { Path: text(s, 'path'), HostPathType: s['type'] ?? '<none>' },
  }),
  emptyDir: (s) => ({
    type: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    fields: {
      Medium: text(s, 'medium'),
      SizeLimit: text(s, 'sizeLimit').replace(/^0?$/, '<unset>'),
    },
  }),
  gcePersistentDisk: (s) => ({
    type: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    fields: { PDName: text(s, 'pdName'), ...partition(s) },
  }),
  awsElasticBlockStore: (s) => ({
    type: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    fields: { VolumeID: text(s, 'volumeID'), ...partition(s) },
  }),
  gitRepo: (s) => ({
    type: 'GitRepo (a volume that is pulled from git when the pod is created)',
    fields: { Repository: text(s, 'repository'), Revision: text(s, 'revision') },
  }),
  secret: (s) => ({
    type: 'Secret (a volume populated by a Secret)',
    fields: { SecretName: text(s, 'secretName'), Optional: flag(s, 'optional') },
  }),
  configMap: (s) => ({
    type: 'ConfigMap (a volume populated by a ConfigMap)',
    fields: { Name: text(s, 'name'), Optional: flag(s, 'optional') },
  }),
  nfs: (s) => ({
    type: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    fields: { Server: text(s, 'server'), Path: text(s, 'path'), ReadOnly: flag(s, 'readOnly') },
  }),
  iscsi: (s, place) => ({
    type: "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
    fields: {
      TargetPortal: text(s, 'targetPortal'),
      IQN: text(s, 'iqn'),
      Lun: number(s, 'lun'),
      ISCSIInterface: text(s, 'iscsiInterface'),
      ...mount(s),
      Portals: list(s, 'portals'),
      DiscoveryCHAPAuth: flag(s, 'chapAuthDiscovery'),
      SessionCHAPAuth: flag(s, 'chapAuthSession'),
      SecretRef: reference(s['secretRef'], place),
      InitiatorName: s['initiatorName'] ?? '<none>',
    },
  }),
  glusterfs: (s, place) => ({
    type: "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)",
    fields: {
      EndpointsName: text(s, 'endpoints'),
      ...(place !== 'pod' && { EndpointsNamespace: s['endpointsNamespace'] ?? '<unset>' }),
      Path: text(s, 'path'),
      ReadOnly: flag(s, 'readOnly'),
    },
  }),
  persistentVolumeClaim: (s) => ({
    type: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    fields: { ClaimName: text(s, 'claimName'), ReadOnly: flag(s, 'readOnly') },
  }),
  rbd: (s, place) => ({
    type: "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)",
    fields: {
      CephMonitors: list(s, 'monitors'),
      RBDImage: text(s, 'image'),
      FSType: text(s, 'fsType'),
      RBDPool: text(s, 'pool'),
      RadosUser: text(s, 'user'),
      Keyring: text(s, 'keyring'),
      SecretRef: reference(s['secretRef'], place),
      ReadOnly: flag(s, 'readOnly'),
    },
  }),
  quobyte: (s) => ({
    type: "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
    fields: { Registry: text(s, 'registry'), Volume: text(s, 'volume'), ReadOnly: flag(s, 'readOnly') },
  }),
  azureDisk: (s) => ({
    type: 'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
    fields: {
      DiskName: text(s, 'diskName'),
      DiskURI: text(s, 'diskURI'),
      Kind: text(s, 'kind'),
      FSType: text(s, 'fsType'),
      CachingMode: text(s, 'cachingMode'),
      ReadOnly: flag(s, 'readOnly'),
    },
  }),
  vsphereVolume: (s) => ({
    type: 'vSphereVolume (a Persistent Disk resource in vSphere)',
    fields: {
      VolumePath: text(s, 'volumePath'),
      FSType: text(s, 'fsType'),
      StoragePolicyName: text(s, 'storagePolicyName'),
    },
  }),
  cinder: (s, place) => ({
    type: 'Cinder (a Persistent Disk resource in OpenStack)',
    fields: { VolumeID: text(s, 'volumeID'), ...mount(s), SecretRef: reference(s['secretRef'], place) },
  }),
  photonPersistentDisk: (s) => ({
    type: 'PhotonPersistentDisk (a Persistent Disk resource in photon platform)',
    fields: { PdID: text(s, 'pdID'), FSType: text(s, 'fsType') },
  }),
  portworxVolume: (s) => ({
    type: 'PortworxVolume (a Portworx Volume resource)',
    fields: { VolumeID: text(s, 'volumeID') },
  }),
  scaleIO: (s, place) => ({
    type: 'ScaleIO (a persistent volume backed by a block device in ScaleIO)',
    fields: {
      Gateway: text(s, 'gateway'),
      System: text(s, 'system'),
      'Protection Domain': text(s, 'protectionDomain'),
      'Storage Pool': text(s, 'storagePool'),
      'Storage Mode': text(s, 'storageMode'),
      VolumeName: text(s, 'volumeName'),
      ...(place !== 'pod' && secretOf(s)),
      ...mount(s),
    },
  }),
  local: (s) => ({
    type: 'LocalVolume (a persistent volume backed by local storage on a node)',
    fields: { Path: text(s, 'path') },
  }),
  cephfs: (s, place) => ({
    type: "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
    fields: {
      Monitors: list(s, 'monitors'),
      Path: text(s, 'path'),
      User: text(s, 'user'),
      SecretFile: text(s, 'secretFile'),
      SecretRef: reference(s['secretRef'], place),
      ReadOnly: flag(s, 'readOnly'),
    },
  }),
  storageos: (s) => ({
    type: 'StorageOS (a StorageOS Persistent Disk resource)',
    fields: { VolumeName: text(s, 'volumeName'), VolumeNamespace: text(s, 'volumeNamespace'), ...mount(s) },
  }),
  fc: (s) => ({
    type: 'FC (a Fibre Channel disk)',
    fields: {
      TargetWWNs: asStrings(s['targetWWNs']).join(', '),
      LUN: s['lun'] ?? '<none>',
      ...mount(s),
    },
  }),
  azureFile: (s, place) => ({
    type: 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)',
    fields: {
      SecretName: text(s, 'secretName'),
      ...(place !== 'pod' && { SecretNamespace: text(s, 'secretNamespace') }),
      ShareName: text(s, 'shareName'),
      ReadOnly: flag(s, 'readOnly'),
    },
  }),
  flexVolume: (s, place) => ({
    type: 'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)',
    fields: {
      Driver: text(s, 'driver'),
      FSType: text(s, 'fsType'),
      SecretRef: reference(s['secretRef'], place),
      ReadOnly: flag(s, 'readOnly'),
      Options: goText(asStringMap(s['options'])),
    },
  }),
  flocker: (s) => ({
    type: 'Flocker (a Flocker volume mounted by the Flocker agent)',
    fields: { DatasetName: text(s, 'datasetName'), DatasetUUID: text(s, 'datasetUUID') },
  }),
  csi: (s, place) => ({
    type: 'CSI (a Container Storage Interface (CSI) volume source)',
    fields: {
      Driver: text(s, 'driver'),
      FSType: text(s, 'fsType'),
      ...(place !== 'pod' && { VolumeHandle: text(s, 'volumeHandle') }),
      ReadOnly: flag(s, 'readOnly'),
    },
  }),
  image: (s) => ({
    type: 'Image (a container image or OCI artifact)',
    fields: { Reference: text(s, 'reference'), PullPolicy: text(s, 'pullPolicy') },
  }),
};

const mount = (s: JsonObject): SourceText['fields'] => ({
  FSType: text(s, 'fsType'),
  ReadOnly: flag(s, 'readOnly'),
});

const partition = (s: JsonObject): SourceText['fields'] => ({
  FSType: text(s, 'fsType'),
  Partition: number(s, 'partition'),
  ReadOnly: flag(s, 'readOnly'),
});

/** The secret of a persistent volume; that of a pod is not shown. */
function secretOf(s: JsonObject): SourceText['fields'] {
  const { name, namespace } = asObject(s['secretRef']);
  return { SecretName: asText(name), SecretNamespace: asText(namespace) };
}

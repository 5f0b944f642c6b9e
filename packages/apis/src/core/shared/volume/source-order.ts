import type { JsonObject } from '@orch/machinery/json';
import type { Field } from '@orch/schema';

/** The sources of a volume of a pod, in the order in which a second one is reported. */
export const podSources = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const;

/** The sources of a persistent volume, in the order in which a second source is reported. */
export const volumeSources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

type Fields = Readonly<Record<string, Omit<Field, 'name'>>>;

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** The fields of a struct of which one is set: if there are several, only the first in `order` is validated. */
export const onlyFirst = <F extends Fields>(order: readonly string[], fields: F): F =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      {
        ...field,
        validatedIf: (parent: JsonObject): boolean => order.find((one) => isSet(parent[one])) === name,
      },
    ]),
  ) as unknown as F;

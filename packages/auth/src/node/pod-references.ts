import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, asText, isJsonObject, type JsonObject } from '@orch/machinery/json';

/** Kinds of objects that pods and volumes refer to. */
export type ReferenceKind = 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'serviceaccounts';

/** A key for an object that is referred to. */
export const referenceKey = (kind: ReferenceKind, namespace: string, name: string): string =>
  `${kind}/${namespace}/${name}`;

/** Volume sources with a reference to a secret, in `secretRef` or another field. */
const secretFields: readonly (readonly [source: string, field: string])[] = [
  ['cephfs', 'secretRef'],
  ['cinder', 'secretRef'],
  ['flexVolume', 'secretRef'],
  ['iscsi', 'secretRef'],
  ['rbd', 'secretRef'],
  ['scaleIO', 'secretRef'],
  ['storageos', 'secretRef'],
];

/** All objects that the node of a pod has to read for it, each once. */
export function podReferences(pod: ApiObject): readonly string[] {
  const spec = asObject(pod['spec']);
  const { namespace = '', name = '' } = pod.metadata;
  const found = new Set<string>();
  const add = (kind: ReferenceKind, referred: unknown): void => {
    const text = asText(referred);
    if (text !== '') found.add(referenceKey(kind, namespace, text));
  };
  add('serviceaccounts', spec['serviceAccountName']);
  for (const { name: secret } of asObjects(spec['imagePullSecrets'])) add('secrets', secret);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const container of asObjects(spec[list])) addContainer(container, add);
  for (const volume of asObjects(spec['volumes'])) addVolume(volume, name, add);
  return [...found];
}

type Add = (kind: ReferenceKind, name: unknown) => void;

function addContainer(container: JsonObject, add: Add): void {
  for (const variable of asObjects(container['env'])) {
    const from = asObject(variable['valueFrom']);
    add('secrets', asObject(from['secretKeyRef'])['name']);
    add('configmaps', asObject(from['configMapKeyRef'])['name']);
  }
  for (const from of asObjects(container['envFrom'])) {
    add('secrets', asObject(from['secretRef'])['name']);
    add('configmaps', asObject(from['configMapRef'])['name']);
  }
}

function addVolume(volume: JsonObject, pod: string, add: Add): void {
  add('secrets', asObject(volume['secret'])['secretName']);
  add('secrets', asObject(volume['azureFile'])['secretName']);
  add('secrets', asObject(asObject(volume['csi'])['nodePublishSecretRef'])['name']);
  for (const [source, field] of secretFields)
    add('secrets', asObject(asObject(volume[source])[field])['name']);
  add('configmaps', asObject(volume['configMap'])['name']);
  add('persistentvolumeclaims', asObject(volume['persistentVolumeClaim'])['claimName']);
  // The claim of an ephemeral volume is made from the names of pod and volume.
  if (isJsonObject(volume['ephemeral'])) add('persistentvolumeclaims', `${pod}-${asText(volume['name'])}`);
  for (const source of asObjects(asObject(volume['projected'])['sources'])) {
    add('secrets', asObject(source['secret'])['name']);
    add('configmaps', asObject(source['configMap'])['name']);
  }
}

/** The references of a volume: the claim that it is bound to, and secrets that nodes need to mount it. */
export interface VolumeReferences {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/** Undefined for a volume that no claim has. */
export function volumeReferences(volume: ApiObject): VolumeReferences | undefined {
  const spec = asObject(volume['spec']);
  const claim = asObject(spec['claimRef']);
  const namespace = asText(claim['namespace']);
  const name = asText(claim['name']);
  if (namespace === '' || name === '') return undefined;
  const secrets = new Set<string>();
  const add = (secret: unknown, within: unknown): void => {
    const text = asText(secret);
    if (text !== '') secrets.add(referenceKey('secrets', asText(within) || namespace, text));
  };
  const azure = asObject(spec['azureFile']);
  add(azure['secretName'], azure['secretNamespace']);
  const csi = asObject(spec['csi']);
  // Secrets of a driver that only controllers use are not for nodes.
  for (const field of ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef']) {
    const referred = asObject(csi[field]);
    add(referred['name'], referred['namespace']);
  }
  for (const [source, field] of secretFields) {
    const referred = asObject(asObject(spec[source])[field]);
    add(referred['name'], referred['namespace']);
  }
  return { claim: referenceKey('persistentvolumeclaims', namespace, name), secrets: [...secrets] };
}

import { type ApiObject, isJsonObject } from '@orch/machinery';

/** Kinds of objects that pods and volumes lead to. */
export type ReferenceKind = 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'serviceaccounts';

/** A key for an object that is referred to. */
export const referenceKey = (kind: ReferenceKind, namespace: string, name: string): string =>
  `${kind}/${namespace}/${name}`;

type Struct = Readonly<Record<string, unknown>>;

const structOf = (value: unknown): Struct => (isJsonObject(value) ? value : {});
const structsOf = (value: unknown): readonly Struct[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Sources of volumes that name a secret in `secretRef` or another member. */
const secretMembers: readonly (readonly [source: string, member: string])[] = [
  ['cephfs', 'secretRef'],
  ['cinder', 'secretRef'],
  ['flexVolume', 'secretRef'],
  ['iscsi', 'secretRef'],
  ['rbd', 'secretRef'],
  ['scaleIO', 'secretRef'],
  ['storageos', 'secretRef'],
];

/** Everything that the node of a pod has to read for it, each once. */
export function podReferences(pod: ApiObject): readonly string[] {
  const spec = structOf(pod['spec']);
  const { namespace = '', name = '' } = pod.metadata;
  const found = new Set<string>();
  const add = (kind: ReferenceKind, referred: unknown): void => {
    const text = textOf(referred);
    if (text !== '') found.add(referenceKey(kind, namespace, text));
  };
  add('serviceaccounts', spec['serviceAccountName']);
  for (const { name: secret } of structsOf(spec['imagePullSecrets'])) add('secrets', secret);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const container of structsOf(spec[list])) addContainer(container, add);
  for (const volume of structsOf(spec['volumes'])) addVolume(volume, name, add);
  return [...found];
}

type Add = (kind: ReferenceKind, name: unknown) => void;

function addContainer(container: Struct, add: Add): void {
  for (const variable of structsOf(container['env'])) {
    const from = structOf(variable['valueFrom']);
    add('secrets', structOf(from['secretKeyRef'])['name']);
    add('configmaps', structOf(from['configMapKeyRef'])['name']);
  }
  for (const from of structsOf(container['envFrom'])) {
    add('secrets', structOf(from['secretRef'])['name']);
    add('configmaps', structOf(from['configMapRef'])['name']);
  }
}

function addVolume(volume: Struct, pod: string, add: Add): void {
  add('secrets', structOf(volume['secret'])['secretName']);
  add('secrets', structOf(volume['azureFile'])['secretName']);
  add('secrets', structOf(structOf(volume['csi'])['nodePublishSecretRef'])['name']);
  for (const [source, member] of secretMembers)
    add('secrets', structOf(structOf(volume[source])[member])['name']);
  add('configmaps', structOf(volume['configMap'])['name']);
  add('persistentvolumeclaims', structOf(volume['persistentVolumeClaim'])['claimName']);
  // The claim of an ephemeral volume is made from the names of pod and volume.
  if (isJsonObject(volume['ephemeral'])) add('persistentvolumeclaims', `${pod}-${textOf(volume['name'])}`);
  for (const source of structsOf(structOf(volume['projected'])['sources'])) {
    add('secrets', structOf(source['secret'])['name']);
    add('configmaps', structOf(source['configMap'])['name']);
  }
}

/** What a volume leads to: the claim that it is bound to, and secrets that nodes need to mount it. */
export interface VolumeReferences {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/** Undefined for a volume that no claim has. */
export function volumeReferences(volume: ApiObject): VolumeReferences | undefined {
  const spec = structOf(volume['spec']);
  const claim = structOf(spec['claimRef']);
  const namespace = textOf(claim['namespace']);
  const name = textOf(claim['name']);
  if (namespace === '' || name === '') return undefined;
  const secrets = new Set<string>();
  const add = (secret: unknown, within: unknown): void => {
    const text = textOf(secret);
    if (text !== '') secrets.add(referenceKey('secrets', textOf(within) || namespace, text));
  };
  const azure = structOf(spec['azureFile']);
  add(azure['secretName'], azure['secretNamespace']);
  const csi = structOf(spec['csi']);
  // What only controllers use of a driver is not for nodes.
  for (const member of ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef']) {
    const referred = structOf(csi[member]);
    add(referred['name'], referred['namespace']);
  }
  for (const [source, member] of secretMembers) {
    const referred = structOf(structOf(spec[source])[member]);
    add(referred['name'], referred['namespace']);
  }
  return { claim: referenceKey('persistentvolumeclaims', namespace, name), secrets: [...secrets] };
}

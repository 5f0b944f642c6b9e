import type {
  Container,
  EphemeralContainer,
  PersistentVolume,
  PersistentVolumeSpec,
  Pod,
  SecretReference,
  Volume,
} from '@orch/kinds/core';

/** Kinds of objects that pods and volumes refer to. */
export type ReferenceKind = 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'serviceaccounts';

/** A key for an object that is referred to. */
export const referenceKey = (kind: ReferenceKind, namespace: string, name: string): string =>
  `${kind}/${namespace}/${name}`;

/** Volume sources with a reference to a secret in `secretRef`. */
const sourcesWithSecret = [
  'cephfs',
  'cinder',
  'flexVolume',
  'iscsi',
  'rbd',
  'scaleIO',
  'storageos',
] as const satisfies readonly (keyof Volume & keyof PersistentVolumeSpec)[];

/** Everything that the node of a pod has to read for it, each once. */
export function podReferences({ metadata: { namespace = '', name = '' }, spec }: Pod): readonly string[] {
  const found = new Set<string>();
  const add: Add = (kind, referred = '') => {
    if (referred !== '') found.add(referenceKey(kind, namespace, referred));
  };
  add('serviceaccounts', spec?.serviceAccountName);
  for (const { name: secret } of spec?.imagePullSecrets ?? []) add('secrets', secret);
  for (const list of [spec?.initContainers, spec?.containers, spec?.ephemeralContainers])
    for (const container of list ?? []) addContainer(container, add);
  for (const volume of spec?.volumes ?? []) addVolume(volume, name, add);
  return [...found];
}

type Add = (kind: ReferenceKind, name: string | undefined) => void;

function addContainer({ env, envFrom }: Container | EphemeralContainer, add: Add): void {
  for (const { valueFrom } of env ?? []) {
    add('secrets', valueFrom?.secretKeyRef?.name);
    add('configmaps', valueFrom?.configMapKeyRef?.name);
  }
  for (const { secretRef, configMapRef } of envFrom ?? []) {
    add('secrets', secretRef?.name);
    add('configmaps', configMapRef?.name);
  }
}

function addVolume(volume: Volume, pod: string, add: Add): void {
  add('secrets', volume.secret?.secretName);
  add('secrets', volume.azureFile?.secretName);
  add('secrets', volume.csi?.nodePublishSecretRef?.name);
  for (const source of sourcesWithSecret) add('secrets', volume[source]?.secretRef?.name);
  add('configmaps', volume.configMap?.name);
  add('persistentvolumeclaims', volume.persistentVolumeClaim?.claimName);
  // The claim of an ephemeral volume is made from the names of pod and volume.
  if (volume.ephemeral !== undefined) add('persistentvolumeclaims', `${pod}-${volume.name ?? ''}`);
  for (const { secret, configMap } of volume.projected?.sources ?? []) {
    add('secrets', secret?.name);
    add('configmaps', configMap?.name);
  }
}

/** The references of a volume: the claim that it is bound to, and secrets that nodes need to mount it. */
export interface VolumeReferences {
  readonly claim: string;
  readonly secrets: readonly string[];
}

/** Undefined for a volume that no claim has. */
export function volumeReferences({ spec = {} }: PersistentVolume): VolumeReferences | undefined {
  const { namespace = '', name = '' } = spec.claimRef ?? {};
  if (namespace === '' || name === '') return undefined;
  const secrets = new Set<string>();
  const add = (reference: SecretReference | null | undefined): void => {
    const { name: secret = '', namespace: within = '' } = reference ?? {};
    if (secret !== '') secrets.add(referenceKey('secrets', within || namespace, secret));
  };
  const { secretName = '', secretNamespace } = spec.azureFile ?? {};
  add({ name: secretName, namespace: secretNamespace ?? '' });
  // Secrets of a driver that only controllers use are not for nodes.
  add(spec.csi?.nodePublishSecretRef);
  add(spec.csi?.nodeStageSecretRef);
  add(spec.csi?.nodeExpandSecretRef);
  for (const source of sourcesWithSecret) add(spec[source]?.secretRef);
  return { claim: referenceKey('persistentvolumeclaims', namespace, name), secrets: [...secrets] };
}

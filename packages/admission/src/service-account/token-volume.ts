import type { Container, PodSpec, Volume } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Names, Random } from '@orch/machinery';
import { generatedName } from '@orch/machinery/object-meta';

/** `defaultMode` of volumes: 0644. */
const FILE_MODE = 0o644;

/** An hour, and seven seconds by which servers recognize tokens of such volumes (access-control document, 2.5). */
const TOKEN_SECONDS = 3607;

const MAX_VOLUME_NAME = 63;

/** The volume with the token of the account of a pod. */
export interface TokenVolume {
  /** Reports whether a volume of the pod is already such a volume. */
  matches(volume: Volume): boolean;
  /** A volume to add to those of a pod. */
  create(volumes: readonly Volume[]): Volume;
}

/** A token for this pod, the authorities of the API server and the namespace (access-control document, 2.5). */
export const projectedTokenVolume = ({ objects }: Names, random: Random): TokenVolume => ({
  matches: ({ name = '' }) => name.startsWith(objects.apiAccessPrefix),
  create: () => ({
    name: generatedName(objects.apiAccessPrefix, random),
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
        { configMap: { name: objects.rootCa, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: FILE_MODE,
    },
  }),
});

/** A secret with a token of the account. The volume has the name of the secret, or one that begins with it. */
export const secretTokenVolume = (secretName: string, random: Random): TokenVolume => ({
  matches: ({ secret }) => secret?.secretName === secretName,
  create(volumes) {
    const preferred = secretName.replaceAll('.', '-');
    const isUsable = preferred.length <= MAX_VOLUME_NAME && volumes.every(({ name }) => name !== preferred);
    return {
      name: isUsable ? preferred : generatedName(`${preferred}-`, random),
      secret: { secretName, defaultMode: FILE_MODE },
    };
  },
});

/** Mounts the token volume in all containers that have no other volume at its path, and adds it to the pod when needed. */
export function mountToken(spec: Draft<PodSpec>, token: TokenVolume, mountPath: string): void {
  const volumes = spec.volumes ?? [];
  const present = volumes.find((volume) => token.matches(volume));
  const volume = present ?? token.create(volumes);
  const mount = { name: volume.name ?? '', readOnly: true, mountPath };
  let isNeeded = false;
  const mounted = (container: Container): Container => {
    const { volumeMounts = [] } = container;
    if (volumeMounts.some((other) => other.mountPath === mountPath)) return container;
    isNeeded = true;
    return { ...container, volumeMounts: [...volumeMounts, mount] };
  };
  const initContainers = spec.initContainers?.map(mounted);
  const containers = spec.containers?.map(mounted);
  if (!isNeeded) return;
  if (initContainers !== undefined) spec.initContainers = initContainers;
  if (containers !== undefined) spec.containers = containers;
  if (present === undefined) spec.volumes = [...volumes, volume];
}

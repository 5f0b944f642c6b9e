import type { kinds, Stored } from '@orch/client';
import { parseQuantity, quantityNumber } from '@orch/machinery/quantity';
import { labelSelectorFromObject } from '@orch/machinery/selectors';

type Claim = Stored<kinds.core.PersistentVolumeClaim>;
type Volume = kinds.core.PersistentVolume;

const sizeOf = (quantities: Readonly<Record<string, unknown>> | undefined): number =>
  quantityNumber(parseQuantity(String(quantities?.['storage'] ?? '0')));

/** The name of the volume that is made for a claim. */
export const volumeName = ({ metadata }: Claim): string => `pvc-${metadata.uid}`;

/**
 * The volume of a claim: one that is reserved for it, or named by it, or else the smallest free one that has its class, its modes and
 * its size.
 */
export function chooseVolume<T extends Volume>(claim: Claim, volumes: readonly T[]): T | undefined {
  const { name, namespace, uid } = claim.metadata;
  const reserved = volumes.find(({ spec }) => {
    const reference = spec?.claimRef;
    const isNamed = reference?.name === name && reference.namespace === namespace;
    return isNamed && (reference.uid === undefined || reference.uid === '' || reference.uid === uid);
  });
  if (reserved !== undefined) return reserved;
  const free = volumes.filter(
    (volume) => volume.spec?.claimRef === undefined && volume.metadata.deletionTimestamp === undefined,
  );
  const wanted = claim.spec?.volumeName ?? '';
  if (wanted !== '') return free.find(({ metadata }) => metadata.name === wanted);
  const fitting = free.filter((volume) => fits(volume, claim));
  return fitting.sort((a, b) => sizeOf(a.spec?.capacity) - sizeOf(b.spec?.capacity))[0];
}

function fits({ metadata, spec }: Volume, { spec: wanted }: Claim): boolean {
  const isOfClass = (spec?.storageClassName ?? '') === (wanted?.storageClassName ?? '');
  const hasModes = (wanted?.accessModes ?? []).every((mode) => (spec?.accessModes ?? []).includes(mode));
  const isOfMode = (spec?.volumeMode ?? 'Filesystem') === (wanted?.volumeMode ?? 'Filesystem');
  const isSelected =
    wanted?.selector === undefined || labelSelectorFromObject(wanted.selector).matches(metadata.labels);
  const isLarge = sizeOf(spec?.capacity) >= sizeOf(wanted?.resources?.requests);
  return isOfClass && hasModes && isOfMode && isSelected && isLarge;
}

/** A volume for one claim, which is deleted with it. It has no content. */
export function newVolume(claim: Claim): Volume {
  const { apiVersion, kind, metadata, spec } = claim;
  const { name, namespace = '', uid } = metadata;
  const { storageClassName, volumeMode, accessModes = [] } = spec ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volumeName(claim) },
    spec: {
      capacity: { storage: spec?.resources?.requests?.['storage'] ?? '1Gi' },
      accessModes,
      persistentVolumeReclaimPolicy: 'Delete',
      hostPath: { path: `/simulated/${volumeName(claim)}` },
      claimRef: { apiVersion, kind, name, namespace, uid },
      ...(storageClassName !== undefined && { storageClassName }),
      ...(volumeMode !== undefined && { volumeMode }),
    },
  };
}

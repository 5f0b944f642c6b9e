import type { PersistentVolumeClaim } from '@orch/apis/types/core';
import type { StorageClass } from '@orch/apis/types/storage';
import type { ObjectSource } from '@orch/auth';
import { compareQuantities, type Names, parseQuantity } from '@orch/machinery';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionPlugin } from '../types.ts';

export interface ClaimResizeParts {
  readonly source: ObjectSource;
  readonly names: Names;
}

const requestOf = ({ spec }: PersistentVolumeClaim): string => spec?.resources?.requests?.['storage'] ?? '0';

/** `PersistentVolumeClaimResize`: a bound claim grows only when its storage class allows expansion. */
export const persistentVolumeClaimResize = ({ source, names }: ClaimResizeParts): AdmissionPlugin => ({
  name: 'PersistentVolumeClaimResize',
  handles: writesOf('', 'persistentvolumeclaims', 'UPDATE'),
  validate({ object, oldObject }) {
    const next = object as PersistentVolumeClaim;
    const old = oldObject as PersistentVolumeClaim;
    if (compareQuantities(parseQuantity(requestOf(next)), parseQuantity(requestOf(old))) <= 0)
      return undefined;
    if (old.status?.phase !== 'Bound') return 'Only bound persistent volume claims can be expanded';
    return allowsExpansion(next, source, names)
      ? undefined
      : 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  },
});

function allowsExpansion(
  { metadata, spec }: PersistentVolumeClaim,
  source: ObjectSource,
  names: Names,
): boolean {
  const name = metadata.annotations?.[names.annotations.betaStorageClass] ?? spec?.storageClassName ?? '';
  if (name === '') return false;
  const found = source.get('storageclasses.storage', '', name) as StorageClass | undefined;
  return found?.allowVolumeExpansion === true;
}

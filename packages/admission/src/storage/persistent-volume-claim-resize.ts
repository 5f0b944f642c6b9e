import type { ObjectSource } from '@orch/auth';
import type { PersistentVolumeClaim } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import { compareQuantities, parseQuantity } from '@orch/machinery/quantity';
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
    const className = classOf(next, names);
    return className === classOf(old, names) && allowsExpansion(className, source)
      ? undefined
      : 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  },
});

/** Empty without a class. */
const classOf = ({ metadata, spec }: PersistentVolumeClaim, { annotations }: Names): string =>
  metadata?.annotations?.[annotations.betaStorageClass] ?? spec?.storageClassName ?? '';

function allowsExpansion(className: string, source: ObjectSource): boolean {
  if (className === '') return false;
  const found = source.get('storageclasses.storage', '', className);
  return found?.allowVolumeExpansion === true;
}

import type { Names } from '@orch/machinery';
import { finalizerPlugin } from '../shared/added-finalizer.ts';
import type { AdmissionPlugin } from '../types.ts';

/** `StorageObjectInUseProtection`: new volumes and claims get finalizers that keep them while they are in use. */
export function storageObjectInUseProtection({ names }: { readonly names: Names }): AdmissionPlugin {
  const finalizers: Readonly<Record<string, string>> = {
    persistentvolumes: names.finalizers.pvProtection,
    persistentvolumeclaims: names.finalizers.pvcProtection,
  };
  return finalizerPlugin('StorageObjectInUseProtection', ({ group, resource }) =>
    group === '' && Object.hasOwn(finalizers, resource) ? finalizers[resource] : undefined,
  );
}

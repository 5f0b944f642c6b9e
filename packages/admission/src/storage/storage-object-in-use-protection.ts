import type { Names } from '@orch/machinery';
import type { AdmissionPlugin, ResourceTarget } from '../types.ts';

/** `StorageObjectInUseProtection`: new volumes and claims get finalizers that keep them while they are in use. */
export function storageObjectInUseProtection({ names }: { readonly names: Names }): AdmissionPlugin {
  const finalizers: Readonly<Record<string, string>> = {
    persistentvolumes: names.finalizers.pvProtection,
    persistentvolumeclaims: names.finalizers.pvcProtection,
  };
  const finalizerOf = ({ group, resource }: ResourceTarget): string | undefined =>
    group === '' && Object.hasOwn(finalizers, resource) ? finalizers[resource] : undefined;
  return {
    name: 'StorageObjectInUseProtection',
    handles: (target) =>
      target.operation === 'CREATE' && target.subresource === '' && finalizerOf(target) !== undefined,
    mutate(write) {
      const finalizer = finalizerOf(write);
      if (write.object === undefined || finalizer === undefined) return undefined;
      const { metadata } = write.object;
      const present = metadata.finalizers ?? [];
      if (!present.includes(finalizer)) metadata.finalizers = [...present, finalizer];
      return undefined;
    },
  };
}

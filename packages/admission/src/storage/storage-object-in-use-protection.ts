import type { Names } from '@orch/machinery';
import { finalizerPlugin } from '../shared/added-finalizer.ts';
import type { AdmissionPlugin } from '../types.ts';

export interface StorageProtectionParts {
  readonly names: Names;
  /** Whether new VolumeAttributesClasses get a finalizer. */
  readonly protectsVolumeAttributesClasses: boolean;
}

/** `StorageObjectInUseProtection`: new volumes, claims and their classes get finalizers that keep them while they are in use. */
export function storageObjectInUseProtection({
  names,
  protectsVolumeAttributesClasses,
}: StorageProtectionParts): AdmissionPlugin {
  const finalizers: Readonly<Record<string, string>> = {
    '/persistentvolumes': names.finalizers.pvProtection,
    '/persistentvolumeclaims': names.finalizers.pvcProtection,
    ...(protectsVolumeAttributesClasses && {
      'storage/volumeattributesclasses': names.finalizers.vacProtection,
    }),
  };
  return finalizerPlugin('StorageObjectInUseProtection', ({ group, resource }) => {
    const key = `${group}/${resource}`;
    return Object.hasOwn(finalizers, key) ? finalizers[key] : undefined;
  });
}

import type { PersistentVolumeClaim } from '@orch/kinds/core';
import { type DefaultClassParts, defaultClassPlugin } from '../shared/default-class.ts';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionPlugin } from '../types.ts';

/** `DefaultStorageClass`: new claims without a storage class get the default one. */
export function defaultStorageClass(parts: DefaultClassParts): AdmissionPlugin {
  const { defaultStorageClass, betaDefaultStorageClass, betaStorageClass } = parts.names.annotations;
  return defaultClassPlugin<PersistentVolumeClaim>(
    {
      name: 'DefaultStorageClass',
      handles: writesOf('', 'persistentvolumeclaims', 'CREATE'),
      field: 'storageClassName',
      annotation: betaStorageClass,
      classes: {
        resource: 'storageclasses.storage',
        plural: 'StorageClasses',
        annotations: [defaultStorageClass, betaDefaultStorageClass],
      },
    },
    parts,
  );
}

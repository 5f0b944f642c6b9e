import type { PersistentVolumeClaim } from '@orch/apis/types/core';
import type { Draft } from '@orch/apis/types/draft';
import type { ObjectSource } from '@orch/auth';
import type { Names } from '@orch/machinery';
import { type ClassKind, defaultClasses, newestOf } from '../shared/default-class.ts';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionPlugin } from '../types.ts';

export interface DefaultClassParts {
  readonly source: ObjectSource;
  readonly names: Names;
  /** Whether several default classes are an error; else the newest of them is used. */
  readonly refusesSeveralDefaults: boolean;
}

/** `DefaultStorageClass`: new claims that name no storage class get the default one. */
export function defaultStorageClass({
  source,
  names,
  refusesSeveralDefaults,
}: DefaultClassParts): AdmissionPlugin {
  const { annotations } = names;
  const kind: ClassKind = {
    resource: 'storageclasses.storage',
    annotations: [annotations.defaultStorageClass, annotations.betaDefaultStorageClass],
  };
  return {
    name: 'DefaultStorageClass',
    handles: writesOf('', 'persistentvolumeclaims', 'CREATE'),
    mutate({ object }) {
      const claim = object as Draft<PersistentVolumeClaim>;
      const named = claim.metadata.annotations?.[annotations.betaStorageClass];
      // An empty name is explicit: the claim is for volumes without a class.
      if (claim.spec?.storageClassName !== undefined || named !== undefined) return undefined;
      const classes = defaultClasses(source, kind);
      if (classes.length > 1 && refusesSeveralDefaults)
        return `${classes.length} default StorageClasses were found`;
      const name = newestOf(classes)?.metadata.name;
      if (name !== undefined) claim.spec = { ...claim.spec, storageClassName: name };
      return undefined;
    },
  };
}

import type { Lens, StructSchema } from '@orch/schema';
import type { KindVersion } from '../../resource-type.ts';

/** The form of release 1.36. */
interface Earlier {
  readonly schema: StructSchema;
  readonly lens: Lens;
}

/** The versions of groups of pods; those of release 1.37 are the same. */
export const groupVersions = (schema: StructSchema, earlier: Earlier): readonly KindVersion[] => [
  {
    version: 'v1beta1',
    schema,
    introduced: '1.37',
    deprecated: '1.40',
    removed: '1.43',
    servedByDefault: false,
  },
  { version: 'v1alpha3', schema, introduced: '1.37' },
  { version: 'v1alpha2', ...earlier, introduced: '1.36', removed: '1.37', replacement: 'none' },
];

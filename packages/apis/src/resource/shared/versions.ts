import type { Lens, StructSchema } from '@orch/schema';
import type { KindVersion } from '../../resource-type.ts';

interface Schemas {
  readonly v1beta2: StructSchema;
  readonly v1beta1: StructSchema;
  /** Between the first beta version and the hub; absent where they have the same fields. */
  readonly lens?: Lens;
  /** The alpha version, where it has other fields than the first beta version. */
  readonly v1alpha3?: { readonly schema: StructSchema; readonly lens: Lens };
}

/** The earlier versions of the kinds of claims and devices, which are served on request. */
export const earlierVersions = ({ v1beta2, v1beta1, lens, v1alpha3 }: Schemas): readonly KindVersion[] => [
  {
    version: 'v1beta2',
    schema: v1beta2,
    introduced: '1.33',
    deprecated: '1.36',
    removed: '1.39',
    replacement: 'none',
    servedByDefault: false,
  },
  {
    version: 'v1beta1',
    schema: v1beta1,
    introduced: '1.32',
    deprecated: '1.35',
    removed: '1.38',
    replacement: 'none',
    servedByDefault: false,
    ...(lens === undefined ? {} : { lens }),
  },
  {
    version: 'v1alpha3',
    introduced: '1.31',
    removed: '1.34',
    ...(v1alpha3 ?? { schema: v1beta1, ...(lens === undefined ? {} : { lens }) }),
  },
];

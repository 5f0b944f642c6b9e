import type { Lens, StructSchema } from '@orch/schema';
import { chain } from '@orch/schema';
import { scaleIn } from '../../core/shared/subresources.ts';
import type { KindVersion, Subresource } from '../../resource-type.ts';

/**
 * A version of a workload that differs from apps/v1 by more than its lifetime: deletion orphans the pods by default.
 */
interface OlderVersion {
  readonly schema: StructSchema;
  readonly lens?: Lens;
  /** The subresources of this version; all of the resource definition when absent. */
  readonly subresources?: readonly Subresource[];
}

/** The fields of both versions are the same; they differ only in the meaning of absent ones. */
export const sameFields: Lens = chain();

const older = ({
  schema,
  lens,
  subresources,
}: OlderVersion): Pick<KindVersion, 'schema' | 'lens' | 'differs'> => ({
  schema,
  ...(lens === undefined ? {} : { lens }),
  differs: {
    strategy: { orphanByDefault: true },
    ...(subresources === undefined ? {} : { subresources }),
  },
});

export const appsV1Beta1 = (declared: OlderVersion, introduced: string): KindVersion => ({
  version: 'v1beta1',
  introduced,
  deprecated: '1.8',
  removed: '1.16',
  ...older(declared),
});

export const appsV1Beta2 = (declared: OlderVersion): KindVersion => ({
  version: 'v1beta2',
  introduced: '1.8',
  deprecated: '1.9',
  removed: '1.16',
  ...older(declared),
});

export const extensionsV1Beta1 = (declared: OlderVersion, introduced: string): KindVersion => ({
  group: 'extensions',
  version: 'v1beta1',
  introduced,
  deprecated: '1.8',
  removed: '1.16',
  ...older(declared),
});

/** Subresources of a version with a different Scale, in discovery order. */
export const withScale = (
  status: Subresource,
  [group, version]: readonly [group: string, version: string],
): readonly Subresource[] => [scaleIn(group, version), status];

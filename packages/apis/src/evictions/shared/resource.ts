import type { StructSchema } from '@orch/schema';
import { strategyOf } from '../../define-resource.ts';
import type { KindVersion, Strategy, SubresourceRules } from '../../resource-type.ts';
import { keepStatus } from '../../status-strategy.ts';

export const evictionVersions = (schema: StructSchema): readonly KindVersion[] => [
  { version: 'v1alpha1', schema, introduced: '1.37', deprecated: '1.40', removed: '1.43' },
];

/** The strategy of both kinds; they differ in the rules of their status. */
export const evictionStrategy = (status: SubresourceRules): Strategy =>
  strategyOf({
    generation: 'spec',
    unconditionalUpdate: false,
    resetStatus: true,
    prepareForUpdate: keepStatus,
    through: { status },
  });

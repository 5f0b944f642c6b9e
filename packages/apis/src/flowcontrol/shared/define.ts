import { strategyOf } from '../../define-resource.ts';
import type { KindVersion, Strategy } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';

interface Schemas {
  readonly v1beta3: KindVersion['schema'];
  /** The same JSON as v1beta3. */
  readonly v1: KindVersion['schema'];
  readonly older: Required<Pick<KindVersion, 'schema' | 'lens'>>;
}

/** Both kinds came and went together. */
export const versions = (kind: string, { v1, v1beta3, older }: Schemas): readonly KindVersion[] => [
  {
    version: 'v1beta3',
    schema: v1beta3,
    introduced: '1.26',
    deprecated: '1.29',
    removed: '1.32',
    replacement: { group: 'flowcontrol', version: 'v1', kind },
  },
  { version: 'v1', schema: v1, introduced: '1.29' },
  { version: 'v1beta2', ...older, introduced: '1.23', deprecated: '1.26', removed: '1.29' },
  { version: 'v1beta1', ...older, introduced: '1.20', deprecated: '1.23', removed: '1.26' },
  { version: 'v1alpha1', ...older, introduced: '1.18', deprecated: '1.20', removed: '1.21' },
];

export const strategy = (validate: NonNullable<Strategy['validate']>): Strategy =>
  strategyOf({
    generation: 'spec',
    resetStatus: true,
    prepareForCreate(next) {
      next.status = {};
    },
    prepareForUpdate: keepStatus,
    validate,
    through: { status: statusOnlyRules() },
  });

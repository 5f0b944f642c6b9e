import { strategyOf } from '../../define-resource.ts';
import type { KindVersion, Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';

/** Both kinds came and went together. */
export const versions = (
  schema: KindVersion['schema'],
  older: Required<Pick<KindVersion, 'schema' | 'lens'>>,
): readonly KindVersion[] => [
  { version: 'v1beta3', schema, introduced: '1.26', deprecated: '1.29', removed: '1.32' },
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
    through: { status: statusRules() },
  });

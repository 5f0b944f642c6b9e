import type * as policy from '@orch/kinds/policy';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, Strategy } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { podDisruptionBudgetTable } from './table.ts';
import { PodDisruptionBudget } from './v1.ts';
import { podDisruptionBudgetLens } from './v1beta1.lens.ts';
import { PodDisruptionBudget as PodDisruptionBudgetV1Beta1 } from './v1beta1.ts';

const podDisruptionBudgetStrategy: Strategy<policy.PodDisruptionBudget> = strategyOf({
  unconditionalUpdate: false,
  generation: 'spec',
  resetStatus: true,
  prepareForCreate(next) {
    next.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  prepareForUpdate: keepStatus,
  through: { status: statusRules() },
});

export const podDisruptionBudgets: ResourceType = defineResource({
  group: 'policy',
  resource: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  namespaced: true,
  shortNames: ['pdb'],
  versions: [
    { version: 'v1', schema: PodDisruptionBudget, introduced: '1.21' },
    {
      version: 'v1beta1',
      schema: PodDisruptionBudgetV1Beta1,
      lens: podDisruptionBudgetLens,
      introduced: '1.5',
      deprecated: '1.21',
      removed: '1.25',
    },
  ],
  nameFormat: 'pathSegment',
  unqualifiedFinalizers: true,
  checksMetadataLast: true,
  table: podDisruptionBudgetTable,
  strategy: podDisruptionBudgetStrategy,
  subresources: [statusSubresource('PodDisruptionBudget', 'policy')],
});

import type { ResourceDeclaration } from '../../define-resource.ts';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { onlyRelease126 } from '../shared/life.ts';
import { podSchedulingTable } from '../shared/tables.ts';
import { podSchedulingOf } from './v1alpha2.ts';

export const PodSchedulingContext = podSchedulingOf('v1alpha2', 'PodSchedulingContext');
export const PodScheduling = podSchedulingOf('v1alpha1', 'PodScheduling');

const common = {
  group: 'resource',
  namespaced: true,
  table: podSchedulingTable,
  strategy: strategyOf({
    resetStatus: true,
    prepareForUpdate: keepStatus,
    through: { status: statusRules() },
  }),
} as const satisfies Partial<ResourceDeclaration>;

/** What `podSchedulings` are called since the second version. */
export const podSchedulingContexts: ResourceType = defineResource({
  ...common,
  resource: 'podschedulingcontexts',
  kind: 'PodSchedulingContext',
  versions: [{ version: 'v1alpha2', schema: PodSchedulingContext, introduced: '1.27' }],
  subresources: [statusSubresource('PodSchedulingContext', 'resource', 'v1alpha2')],
});

export const podSchedulings: ResourceType = defineResource({
  ...common,
  resource: 'podschedulings',
  kind: 'PodScheduling',
  versions: [
    {
      version: 'v1alpha1',
      schema: PodScheduling,
      ...onlyRelease126,
      replacement: { group: 'resource', version: 'v1alpha2', kind: 'PodSchedulingContext' },
    },
  ],
  subresources: [statusSubresource('PodScheduling', 'resource', 'v1alpha1')],
});

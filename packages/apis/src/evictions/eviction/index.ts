import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { statusOnlyRules } from '../../status-strategy.ts';
import { evictionStrategy, evictionVersions } from '../shared/resource.ts';
import { evictionTable } from './table.ts';
import { Eviction } from './v1alpha1.ts';
import { validateEvictionStatus } from './validation/status.ts';

export const evictions: ResourceType = defineResource({
  group: 'lifecycle',
  resource: 'evictions',
  kind: 'Eviction',
  namespaced: true,
  versions: evictionVersions(Eviction),
  table: evictionTable,
  strategy: evictionStrategy(statusOnlyRules(validateEvictionStatus)),
  subresources: [statusSubresource('Eviction', 'lifecycle', 'v1alpha1')],
});

import type * as networking from '@orch/kinds/networking';
import { selectorText } from '../../apps/shared/columns.ts';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, Strategy, TableDefinition } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { NetworkPolicy } from './v1.ts';
import { networkPolicyWarnings } from './warnings.ts';

const networkPolicyStrategy: Strategy<networking.NetworkPolicy> = strategyOf({
  generation: 'spec',
  resetStatus: true,
  prepareForCreate(next) {
    // Policies of older releases have no status.
    if (next.status !== undefined) next.status = {};
  },
  prepareForUpdate: keepStatus,
  warnings: networkPolicyWarnings,
  through: { status: statusRules() },
});

const networkPolicyTable: TableDefinition<networking.NetworkPolicy> = {
  columns: [nameColumn, column('Pod-Selector', 'Labels of the pods that the policy applies to.'), ageColumn],
  cells: (policy) => [nameCell(policy), selectorText(policy.spec?.podSelector), ageCell(policy)],
};

export const networkPolicies: ResourceType = defineResource({
  group: 'networking',
  resource: 'networkpolicies',
  kind: 'NetworkPolicy',
  namespaced: true,
  shortNames: ['netpol'],
  versions: [
    { version: 'v1', schema: NetworkPolicy, introduced: '1.7' },
    {
      group: 'extensions',
      version: 'v1beta1',
      schema: NetworkPolicy,
      introduced: '1.3',
      deprecated: '1.9',
      removed: '1.16',
    },
  ],
  table: networkPolicyTable,
  strategy: networkPolicyStrategy,
  subresources: [
    {
      ...statusSubresource('NetworkPolicy', 'networking'),
      introduced: '1.24',
      removed: '1.28',
      gate: 'NetworkPolicyStatus',
    },
  ],
});

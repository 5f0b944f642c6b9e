import { defineResource, statusSubresource } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { networkPolicyStrategy } from './strategy.ts';
import { networkPolicyTable } from './table.ts';
import { NetworkPolicy } from './v1.ts';

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
    { ...statusSubresource('NetworkPolicy', 'networking'), introduced: '1.24', gate: 'NetworkPolicyStatus' },
  ],
});

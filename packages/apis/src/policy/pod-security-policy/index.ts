import type * as policy from '@orch/kinds/policy';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { podSecurityPolicyTable } from './table.ts';
import { PodSecurityPolicy } from './v1beta1.ts';

export const podSecurityPolicies: ResourceType = defineResource({
  group: 'policy',
  resource: 'podsecuritypolicies',
  kind: 'PodSecurityPolicy',
  namespaced: false,
  shortNames: ['psp'],
  versions: [
    {
      version: 'v1beta1',
      schema: PodSecurityPolicy,
      introduced: '1.10',
      deprecated: '1.21',
      removed: '1.25',
      replacement: 'none',
    },
    {
      group: 'extensions',
      version: 'v1beta1',
      schema: PodSecurityPolicy,
      introduced: '1.2',
      deprecated: '1.11',
      removed: '1.16',
    },
  ],
  table: podSecurityPolicyTable,
  strategy: strategyOf<policy.PodSecurityPolicyV1beta1>({ deleteReturns: 'object' }),
});

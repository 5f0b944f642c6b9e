import { defineResource, statusSubresource, strategyOf } from '../define-resource.ts';
import type { ResourceType } from '../resource-type.ts';
import { podDisruptionBudgetStrategy } from './pod-disruption-budget/strategy.ts';
import { podDisruptionBudgetTable } from './pod-disruption-budget/table.ts';
import { PodDisruptionBudget } from './pod-disruption-budget/v1.ts';
import { podDisruptionBudgetLens } from './pod-disruption-budget/v1beta1.lens.ts';
import { PodDisruptionBudget as PodDisruptionBudgetV1Beta1 } from './pod-disruption-budget/v1beta1.ts';
import { podSecurityPolicyTable } from './pod-security-policy/table.ts';
import { PodSecurityPolicy } from './pod-security-policy/v1beta1.ts';

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
  table: podDisruptionBudgetTable,
  strategy: podDisruptionBudgetStrategy,
  subresources: [statusSubresource('PodDisruptionBudget', 'policy')],
});

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
  strategy: strategyOf({ deleteReturns: 'object' }),
});

/** The resources of the group, in discovery order. */
export const policyTypes: readonly ResourceType[] = [podDisruptionBudgets, podSecurityPolicies];

import type { GroupDeclaration } from '../group-declaration.ts';
import { kindOf } from '../kind-declaration.ts';
import { Eviction } from './eviction/v1.ts';
import { Eviction as EvictionV1Beta1 } from './eviction/v1beta1.ts';
import { podDisruptionBudgets } from './pod-disruption-budget/index.ts';
import { podSecurityPolicies } from './pod-security-policy/index.ts';

export const policyGroup: GroupDeclaration = {
  key: 'policy',
  priority: 17_100,
  versionPriorities: { v1: 15, v1beta1: 9 },
  types: [podDisruptionBudgets, podSecurityPolicies],
  kinds: [kindOf('policy', 'v1', Eviction), kindOf('policy', 'v1beta1', EvictionV1Beta1)],
};

import { type KindDeclaration, kindOf } from '../kind-declaration.ts';
import type { ResourceType } from '../resource-type.ts';
import { Eviction } from './eviction/v1.ts';
import { Eviction as EvictionV1Beta1 } from './eviction/v1beta1.ts';
import { podDisruptionBudgets } from './pod-disruption-budget/index.ts';
import { podSecurityPolicies } from './pod-security-policy/index.ts';

/** The resources of the group, in discovery order. */
export const policyTypes: readonly ResourceType[] = [podDisruptionBudgets, podSecurityPolicies];

/** Bodies of subresources. */
export const policyKinds: readonly KindDeclaration[] = [
  kindOf('policy', 'v1', Eviction),
  kindOf('policy', 'v1beta1', EvictionV1Beta1),
];

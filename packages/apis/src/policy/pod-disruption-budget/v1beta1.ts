import { podDisruptionBudgetKind, podDisruptionBudgetSpec, podDisruptionBudgetStatus } from './v1.ts';

export const PodDisruptionBudgetSpec = podDisruptionBudgetSpec(
  'v1beta1',
  'Labels of the covered pods. An empty selector covers no pods, as does an absent one.',
);

export const PodDisruptionBudgetStatus = podDisruptionBudgetStatus('v1beta1');

export const PodDisruptionBudget = podDisruptionBudgetKind(
  'v1beta1',
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
);

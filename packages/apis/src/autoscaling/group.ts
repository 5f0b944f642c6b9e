import type { GroupDeclaration } from '../group-declaration.ts';
import { kindOf } from '../kind-declaration.ts';
import { horizontalPodAutoscalers } from './horizontal-pod-autoscaler/index.ts';
import { Scale } from './scale.ts';

export const autoscalingGroup: GroupDeclaration = {
  key: 'autoscaling',
  priority: 17_500,
  versionPriorities: { v1: 15, v2: 30, v2beta1: 9, v2beta2: 1 },
  versionOrder: ['v2', 'v1', 'v2beta1', 'v2beta2'],
  types: [horizontalPodAutoscalers],
  kinds: [kindOf('autoscaling', 'v1', Scale)],
};

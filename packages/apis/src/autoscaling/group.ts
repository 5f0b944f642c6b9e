import { type KindDeclaration, kindOf } from '../kind-declaration.ts';
import type { ResourceType } from '../resource-type.ts';
import { horizontalPodAutoscalers } from './horizontal-pod-autoscaler/index.ts';
import { Scale } from './scale.ts';

/** The resources of the group, in discovery order. */
export const autoscalingTypes: readonly ResourceType[] = [horizontalPodAutoscalers];

/** Bodies of subresources. */
export const autoscalingKinds: readonly KindDeclaration[] = [kindOf('autoscaling', 'v1', Scale)];

import type { HorizontalPodAutoscalerBehaviorV2, HPAScalingRulesV2 } from '@orch/kinds/autoscaling';
import type { Draft } from '@orch/kinds/draft';
import type { JsonObject } from '@orch/machinery/json';
import type { Derive } from '@orch/schema';

/** Default target CPU utilization in percent of the requests. */
export const DEFAULT_CPU_UTILIZATION = 80;

/** Metrics of an autoscaler that specifies none. */
export const defaultMetrics = [
  {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: DEFAULT_CPU_UTILIZATION } },
  },
] as const;

const directions = {
  scaleUp: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  },
  scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
} as const;

/** When `behavior` has any field, its other fields get their defaults. */
export const deriveBehavior: Derive<Draft<HorizontalPodAutoscalerBehaviorV2>> = (behavior) => {
  let changed = false;
  for (const direction of ['scaleUp', 'scaleDown'] as const) {
    const usual: Draft<HPAScalingRulesV2> = structuredClone(directions[direction]);
    const given: JsonObject = behavior[direction] ?? {};
    if (Object.keys(usual).every((name) => given[name] !== undefined)) continue;
    behavior[direction] = { ...usual, ...given };
    changed = true;
  }
  return changed;
};

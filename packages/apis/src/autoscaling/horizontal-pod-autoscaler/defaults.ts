import type { Derive } from '@orch/schema';
import { asObject } from '../../read.ts';

/** Percent of the requested processor time that pods should use when nothing else is asked for. */
export const defaultCpuUtilization = 80;

/** What is scaled by when nothing else is asked for. */
export const defaultMetrics = [
  {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: defaultCpuUtilization } },
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

/** Once anything is said about behavior, the rest of it is spelled out. */
export const deriveBehavior: Derive = (behavior) => {
  let changed = false;
  for (const [direction, usual] of Object.entries(directions)) {
    const said = asObject(behavior[direction]);
    if (Object.keys(usual).every((member) => said[member] !== undefined)) continue;
    behavior[direction] = { ...structuredClone(usual), ...said };
    changed = true;
  }
  return changed;
};

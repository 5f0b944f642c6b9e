import assert from 'node:assert/strict';
import type { HorizontalPodAutoscalerV2 } from '@orch/kinds/autoscaling';
import { namesFor } from '@orch/machinery';
import { writePath } from '../../../testing/write-path.ts';
import { horizontalPodAutoscalers as type } from '../index.ts';

/** Enables features that the default release disables. */
export const gates = { openGates: new Set(['HPAContainerMetrics']) };

/** Writes of clients of v2. */
export const v2 = writePath(undefined, '1.24', { version: 'autoscaling/v2', ...gates });

/** Prefix of the annotations of older versions. */
export const prefix = namesFor('orch').annotations.autoscalingAlpha;
const scaleTargetRef = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' };
export const bounds = { scaleTargetRef, minReplicas: 1, maxReplicas: 3 };
export const cpu = (averageUtilization: number): object => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
export const pods = {
  type: 'Pods',
  pods: { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '10' } },
};

/** A stored autoscaler, in the hub version. */
export function hubOf(spec: object, status: object = {}): HorizontalPodAutoscalerV2 {
  const object = { metadata: { name: 'x' }, spec: { ...bounds, ...spec } };
  const created = v2.create(type, object);
  assert.deepEqual([created.problems, created.errors], [[], []]);
  return { ...created.object, status: { ...(created.object.status as object), ...status } };
}

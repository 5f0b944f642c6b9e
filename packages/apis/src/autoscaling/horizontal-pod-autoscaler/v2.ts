import { f, struct } from '@orch/schema';
import { HorizontalPodAutoscalerBehavior } from './behavior.ts';
import { defaultMetrics } from './defaults.ts';
import { MetricSpec } from './metric-spec.ts';
import { MetricStatus } from './metric-status.ts';
import {
  autoscalerOf,
  boundsOfReplicas,
  HorizontalPodAutoscalerCondition,
  metricsDoc,
  statusOfReplicas,
} from './shared.ts';

const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v2.HorizontalPodAutoscalerSpec',
  'The object to scale, the metrics, and the bounds.',
  {
    ...boundsOfReplicas,
    metrics: f.list(4, MetricSpec, {
      doc: metricsDoc,
      listType: 'atomic',
      default: defaultMetrics,
    }),
    behavior: f.struct(5, HorizontalPodAutoscalerBehavior, {
      doc: 'How fast the number of replicas may change.',
      presence: 'pointer',
    }),
  },
);

const HorizontalPodAutoscalerStatus = struct(
  'autoscaling.v2.HorizontalPodAutoscalerStatus',
  'Last observation and decision of the controller.',
  {
    ...statusOfReplicas,
    currentReplicas: f.int32(3, { doc: 'Current number of replicas.', min: 0 }),
    currentMetrics: f.list(5, MetricStatus, {
      doc: 'State of the metrics, in their order.',
      presence: 'always',
      openapiRequired: false,
      listType: 'atomic',
    }),
    conditions: f.list(6, HorizontalPodAutoscalerCondition, {
      doc: 'Observations about the object, one entry per type.',
      listType: 'map',
      mapKeys: ['type'],
      patchStrategy: 'merge',
      patchMergeKey: 'type',
    }),
  },
);

export const HorizontalPodAutoscaler = autoscalerOf('v2', {
  spec: HorizontalPodAutoscalerSpec,
  status: HorizontalPodAutoscalerStatus,
});

import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { DEFAULT_CPU_UTILIZATION } from './defaults.ts';
import { boundsOfReplicas, HorizontalPodAutoscalerCondition, statusOfReplicas } from './v2.ts';
import { MetricSpec } from './v2beta1.metric-spec.ts';
import { MetricStatus } from './v2beta1.metric-status.ts';

export const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v2beta1.HorizontalPodAutoscalerSpec',
  'What is scaled, by which metrics and within which bounds.',
  {
    ...boundsOfReplicas,
    metrics: f.list(4, MetricSpec, {
      doc: 'Metrics to scale by; the one that results in the most replicas is used. By default 80 percent of the requested processor time.',
      default: [
        { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: DEFAULT_CPU_UTILIZATION } },
      ],
    }),
  },
);

export const HorizontalPodAutoscalerStatus = struct(
  'autoscaling.v2beta1.HorizontalPodAutoscalerStatus',
  'Last observation and decision of the controller.',
  {
    ...statusOfReplicas,
    currentMetrics: f.list(5, MetricStatus, {
      doc: 'State of the metrics, in their order.',
      presence: 'always',
      openapiRequired: false,
    }),
    conditions: f.list(6, HorizontalPodAutoscalerCondition, {
      doc: 'Observations about the object, one entry per type.',
      presence: 'always',
      openapiRequired: false,
    }),
  },
);

export const HorizontalPodAutoscaler = struct(
  'autoscaling.v2beta1.HorizontalPodAutoscaler',
  'Adjusts the number of replicas of an object according to metrics.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    spec: f.struct(2, HorizontalPodAutoscalerSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
    }),
    status: f.struct(3, HorizontalPodAutoscalerStatus, {
      doc: 'Most recently observed state of the object; written by the system.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);

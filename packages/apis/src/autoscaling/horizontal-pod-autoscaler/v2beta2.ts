import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { behaviorOf, scalingRules } from './behavior.ts';
import { defaultMetrics } from './defaults.ts';
import { MetricSpec } from './metric-spec.ts';
import { MetricStatus } from './metric-status.ts';
import { boundsOfReplicas, HorizontalPodAutoscalerCondition, statusOfReplicas } from './v2.ts';

// The version differs from v2 in how lists are merged, and in fields that are written even when they are empty.

const rules = scalingRules('v2beta2');

export const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v2beta2.HorizontalPodAutoscalerSpec',
  'What is scaled, by which metrics and within which bounds.',
  {
    ...boundsOfReplicas,
    metrics: f.list(4, MetricSpec, {
      doc: 'Metrics to scale by; the one that results in the most replicas is used. By default 80 percent of the requested processor time.',
      default: defaultMetrics,
    }),
    behavior: f.struct(5, behaviorOf('v2beta2', rules), {
      doc: 'How fast the number of replicas may change.',
      presence: 'pointer',
      since: '1.18',
    }),
  },
);

export const HorizontalPodAutoscalerStatus = struct(
  'autoscaling.v2beta2.HorizontalPodAutoscalerStatus',
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
  'autoscaling.v2beta2.HorizontalPodAutoscaler',
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

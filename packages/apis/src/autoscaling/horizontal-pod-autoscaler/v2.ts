import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { HorizontalPodAutoscalerBehavior } from './behavior.ts';
import { defaultMetrics } from './defaults.ts';
import { MetricSpec } from './metric-spec.ts';
import { MetricStatus } from './metric-status.ts';
import { CrossVersionObjectReference } from './metric-target.ts';

export const HorizontalPodAutoscalerCondition = struct(
  'autoscaling.v2.HorizontalPodAutoscalerCondition',
  'One aspect of the state of an autoscaler.',
  {
    type: f.string(1, { doc: 'ScalingActive, AbleToScale or ScalingLimited.', presence: 'always' }),
    status: f.string(2, { doc: 'True, False or Unknown.', presence: 'always' }),
    lastTransitionTime: f.time(3, {
      doc: 'When the status last changed from one value to another.',
      presence: 'always',
    }),
    reason: f.string(4, { doc: 'Machine-readable reason, in CamelCase.' }),
    message: f.string(5, { doc: 'Human-readable details.' }),
  },
);

/** Fields that all versions have in common. */
export const boundsOfReplicas = {
  scaleTargetRef: f.struct(1, CrossVersionObjectReference, {
    doc: 'What is scaled: an object with a scale subresource.',
    presence: 'always',
    openapiRequired: true,
  }),
  minReplicas: f.int32(2, { doc: 'Fewest replicas.', presence: 'pointer', default: 1 }),
  maxReplicas: f.int32(3, { doc: 'Most replicas; not fewer than minReplicas.', presence: 'always' }),
} as const;

export const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v2.HorizontalPodAutoscalerSpec',
  'What is scaled, by which metrics and within which bounds.',
  {
    ...boundsOfReplicas,
    metrics: f.list(4, MetricSpec, {
      doc: 'Metrics to scale by; the one that results in the most replicas is used. By default 80 percent of the requested processor time.',
      listType: 'atomic',
      default: defaultMetrics,
    }),
    behavior: f.struct(5, HorizontalPodAutoscalerBehavior, {
      doc: 'How fast the number of replicas may change.',
      presence: 'pointer',
    }),
  },
);

/** Fields of the status that all versions have in common. */
export const statusOfReplicas = {
  observedGeneration: f.int64(1, {
    doc: 'Generation that the controller has observed.',
    presence: 'pointer',
  }),
  lastScaleTime: f.time(2, { doc: 'When the number of replicas last changed.', presence: 'pointer' }),
  currentReplicas: f.int32(3, { doc: 'Current number of replicas.', presence: 'always', min: 0 }),
  desiredReplicas: f.int32(4, { doc: 'Desired number of replicas.', presence: 'always', min: 0 }),
} as const;

export const HorizontalPodAutoscalerStatus = struct(
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

export const HorizontalPodAutoscaler = struct(
  'autoscaling.v2.HorizontalPodAutoscaler',
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

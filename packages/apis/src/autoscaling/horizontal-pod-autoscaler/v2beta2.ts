import { f, struct } from '@orch/schema';
import { behaviorOf, scalingRules } from './behavior.ts';
import { defaultMetrics } from './defaults.ts';
import { MetricSpec } from './metric-spec.ts';
import { MetricStatus } from './metric-status.ts';
import { autoscalerOf, betaStatusOf, boundsOfReplicas, metricsDoc } from './shared.ts';

// The version differs from v2 in how lists are merged, and in fields that are written even when they are empty.

const rules = scalingRules('v2beta2');

const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v2beta2.HorizontalPodAutoscalerSpec',
  'The object to scale, the metrics, and the bounds.',
  {
    ...boundsOfReplicas,
    metrics: f.list(4, MetricSpec, {
      doc: metricsDoc,
      default: defaultMetrics,
    }),
    behavior: f.struct(5, behaviorOf('v2beta2', rules), {
      doc: 'How fast the number of replicas may change.',
      presence: 'pointer',
      since: '1.18',
    }),
  },
);

export const HorizontalPodAutoscaler = autoscalerOf('v2beta2', {
  spec: HorizontalPodAutoscalerSpec,
  status: betaStatusOf('v2beta2', MetricStatus),
});

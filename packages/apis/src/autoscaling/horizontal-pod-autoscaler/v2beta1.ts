import { f, struct } from '@orch/schema';
import { DEFAULT_CPU_UTILIZATION } from './defaults.ts';
import { autoscalerOf, betaStatusOf, boundsOfReplicas, metricsDoc } from './shared.ts';
import { MetricSpec } from './v2beta1.metric-spec.ts';
import { MetricStatus } from './v2beta1.metric-status.ts';

const HorizontalPodAutoscalerSpec = struct(
  'autoscaling.v2beta1.HorizontalPodAutoscalerSpec',
  'The object to scale, the metrics, and the bounds.',
  {
    ...boundsOfReplicas,
    metrics: f.list(4, MetricSpec, {
      doc: metricsDoc,
      default: [
        { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: DEFAULT_CPU_UTILIZATION } },
      ],
    }),
  },
);

export const HorizontalPodAutoscaler = autoscalerOf('v2beta1', {
  spec: HorizontalPodAutoscalerSpec,
  status: betaStatusOf('v2beta1', MetricStatus),
});

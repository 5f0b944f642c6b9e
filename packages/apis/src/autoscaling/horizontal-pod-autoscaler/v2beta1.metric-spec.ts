import { f, struct } from '@orch/schema';
import { describedObject, selectorField } from './metric-target.ts';
import { metricSpecOf } from './metrics.ts';

const ObjectMetricSource = struct(
  'autoscaling.v2beta1.ObjectMetricSource',
  'A metric of one object, such as the requests that arrive at an ingress.',
  {
    target: describedObject(1),
    metricName: f.string(2, { doc: 'Name of the metric.', presence: 'always' }),
    targetValue: f.quantity(3, { doc: 'Target value as a whole.', presence: 'always' }),
    selector: selectorField(4),
    averageValue: f.quantity(5, { doc: 'Target value per pod.', presence: 'pointer' }),
  },
);

const PodsMetricSource = struct(
  'autoscaling.v2beta1.PodsMetricSource',
  'A metric of the pods themselves, as an average over all of them.',
  {
    metricName: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
    targetAverageValue: f.quantity(2, { doc: 'Target value per pod.', presence: 'always' }),
    selector: selectorField(3),
  },
);

/** Target utilization of a compute resource. */
const resourceTarget = {
  name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
  targetAverageUtilization: f.int32(2, {
    doc: 'Target utilization per pod, in percent of what the pods request.',
    presence: 'pointer',
  }),
  targetAverageValue: f.quantity(3, {
    doc: 'Target use per pod, as an absolute value.',
    presence: 'pointer',
  }),
} as const;

const ResourceMetricSource = struct(
  'autoscaling.v2beta1.ResourceMetricSource',
  'Use of a compute resource by the pods, in relation to their requests or as an absolute value.',
  resourceTarget,
);

const ContainerResourceMetricSource = struct(
  'autoscaling.v2beta1.ContainerResourceMetricSource',
  'Use of a compute resource by one container of each pod.',
  {
    ...resourceTarget,
    container: f.string(4, { doc: 'Name of the container.', presence: 'always' }),
  },
);

const ExternalMetricSource = struct(
  'autoscaling.v2beta1.ExternalMetricSource',
  'A metric from outside the cluster, such as the length of a queue.',
  {
    metricName: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
    metricSelector: selectorField(2),
    targetValue: f.quantity(3, { doc: 'Target value as a whole.', presence: 'pointer' }),
    targetAverageValue: f.quantity(4, { doc: 'Target value per pod.', presence: 'pointer' }),
  },
);

export const MetricSpec = metricSpecOf('v2beta1', {
  object: ObjectMetricSource,
  pods: PodsMetricSource,
  resource: ResourceMetricSource,
  containerResource: ContainerResourceMetricSource,
  external: ExternalMetricSource,
});

import { f, struct } from '@orch/schema';
import { describedObject, selectorField } from './metric-target.ts';
import { metricStatusOf } from './metrics.ts';

const ObjectMetricStatus = struct(
  'autoscaling.v2beta1.ObjectMetricStatus',
  'Value of a metric that describes one object.',
  {
    target: describedObject(1),
    metricName: f.string(2, { doc: 'Name of the metric.', presence: 'always' }),
    currentValue: f.quantity(3, { doc: 'Value as a whole.', presence: 'always' }),
    selector: selectorField(4),
    averageValue: f.quantity(5, { doc: 'Value per pod.', presence: 'pointer' }),
  },
);

const PodsMetricStatus = struct(
  'autoscaling.v2beta1.PodsMetricStatus',
  'Average of a metric over the pods.',
  {
    metricName: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
    currentAverageValue: f.quantity(2, { doc: 'Value per pod.', presence: 'always' }),
    selector: selectorField(3),
  },
);

/** Utilization of a compute resource. */
const resourceUse = {
  name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
  currentAverageUtilization: f.int32(2, {
    doc: 'Use per pod, in percent of what the pods request.',
    presence: 'pointer',
  }),
  currentAverageValue: f.quantity(3, { doc: 'Use per pod, as an absolute value.', presence: 'always' }),
} as const;

const ResourceMetricStatus = struct(
  'autoscaling.v2beta1.ResourceMetricStatus',
  'Average use of a compute resource over the pods.',
  resourceUse,
);

const ContainerResourceMetricStatus = struct(
  'autoscaling.v2beta1.ContainerResourceMetricStatus',
  'Average use of a compute resource by one container over the pods.',
  { ...resourceUse, container: f.string(4, { doc: 'Name of the container.', presence: 'always' }) },
);

const ExternalMetricStatus = struct(
  'autoscaling.v2beta1.ExternalMetricStatus',
  'Value of a metric from outside the cluster.',
  {
    metricName: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
    metricSelector: selectorField(2),
    currentValue: f.quantity(3, { doc: 'Value as a whole.', presence: 'always' }),
    currentAverageValue: f.quantity(4, { doc: 'Value per pod.', presence: 'pointer' }),
  },
);

export const MetricStatus = metricStatusOf('v2beta1', {
  object: ObjectMetricStatus,
  pods: PodsMetricStatus,
  resource: ResourceMetricStatus,
  containerResource: ContainerResourceMetricStatus,
  external: ExternalMetricStatus,
});

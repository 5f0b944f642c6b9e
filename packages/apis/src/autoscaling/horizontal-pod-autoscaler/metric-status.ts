import { f, struct } from '@orch/schema';
import { currentField, describedObject, metricField } from './metric-target.ts';
import { metricStatusOf } from './metrics.ts';

const ObjectMetricStatus = struct(
  'autoscaling.v2.ObjectMetricStatus',
  'Value of a metric that describes one object.',
  {
    metric: metricField(1),
    current: currentField('Current value.'),
    describedObject: describedObject(3),
  },
);

const PodsMetricStatus = struct('autoscaling.v2.PodsMetricStatus', 'Average of a metric over the pods.', {
  metric: metricField(1),
  current: currentField('Current value.'),
});

const ResourceMetricStatus = struct(
  'autoscaling.v2.ResourceMetricStatus',
  'Average use of a compute resource over the pods.',
  {
    name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
    current: currentField('How much is used.'),
  },
);

const ContainerResourceMetricStatus = struct(
  'autoscaling.v2.ContainerResourceMetricStatus',
  'Average use of a compute resource by one container over the pods.',
  {
    name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
    current: currentField('How much is used.'),
    container: f.string(3, { doc: 'Name of the container.', presence: 'always' }),
  },
);

const ExternalMetricStatus = struct(
  'autoscaling.v2.ExternalMetricStatus',
  'Value of a metric from outside the cluster.',
  {
    metric: metricField(1),
    current: currentField('Current value.'),
  },
);

export const MetricStatus = metricStatusOf('v2', {
  object: ObjectMetricStatus,
  pods: PodsMetricStatus,
  resource: ResourceMetricStatus,
  containerResource: ContainerResourceMetricStatus,
  external: ExternalMetricStatus,
});

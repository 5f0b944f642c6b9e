import { f, struct } from '@orch/schema';
import { describedObject, metricField, targetField } from './metric-target.ts';
import { metricSpecOf } from './metrics.ts';

const ObjectMetricSource = struct(
  'autoscaling.v2.ObjectMetricSource',
  'A metric of one object, such as the requests that arrive at an ingress.',
  {
    describedObject: describedObject(1),
    target: targetField('Target value of the metric.'),
    metric: metricField(3),
  },
);

const PodsMetricSource = struct(
  'autoscaling.v2.PodsMetricSource',
  'A metric of the pods themselves, as an average over all of them.',
  {
    metric: metricField(1),
    target: targetField('Target value of the metric; an average value.'),
  },
);

const ResourceMetricSource = struct(
  'autoscaling.v2.ResourceMetricSource',
  'Use of a compute resource by the pods, in relation to their requests or as an absolute value.',
  {
    name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
    target: targetField('Target utilization.'),
  },
);

const ContainerResourceMetricSource = struct(
  'autoscaling.v2.ContainerResourceMetricSource',
  'Use of a compute resource by one container of each pod.',
  {
    name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
    target: targetField('Target utilization.'),
    container: f.string(3, { doc: 'Name of the container.', presence: 'always' }),
  },
);

const ExternalMetricSource = struct(
  'autoscaling.v2.ExternalMetricSource',
  'A metric from outside the cluster, such as the length of a queue.',
  {
    metric: metricField(1),
    target: targetField('Target value of the metric.'),
  },
);

export const MetricSpec = metricSpecOf('v2', {
  object: ObjectMetricSource,
  pods: PodsMetricSource,
  resource: ResourceMetricSource,
  containerResource: ContainerResourceMetricSource,
  external: ExternalMetricSource,
});

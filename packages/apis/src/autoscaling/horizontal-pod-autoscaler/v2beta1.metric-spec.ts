import { f, struct } from '@orch/schema';
import { LabelSelector } from '../../meta/label-selector.ts';
import { CrossVersionObjectReference } from './metric-target.ts';

export const ObjectMetricSource = struct(
  'autoscaling.v2beta1.ObjectMetricSource',
  'A metric of one object, such as the requests that arrive at an ingress.',
  {
    target: f.struct(1, CrossVersionObjectReference, {
      doc: 'Object that the metric describes.',
      presence: 'always',
      openapiRequired: true,
    }),
    metricName: f.string(2, { doc: 'Name of the metric.', presence: 'always' }),
    targetValue: f.quantity(3, { doc: 'Target value as a whole.', presence: 'always' }),
    selector: f.struct(4, LabelSelector, {
      doc: 'Restricts the metric by its labels.',
      presence: 'pointer',
    }),
    averageValue: f.quantity(5, { doc: 'Target value per pod.', presence: 'pointer' }),
  },
);

export const PodsMetricSource = struct(
  'autoscaling.v2beta1.PodsMetricSource',
  'A metric of the pods themselves, as an average over all of them.',
  {
    metricName: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
    targetAverageValue: f.quantity(2, { doc: 'Target value per pod.', presence: 'always' }),
    selector: f.struct(3, LabelSelector, {
      doc: 'Restricts the metric by its labels.',
      presence: 'pointer',
    }),
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

export const ResourceMetricSource = struct(
  'autoscaling.v2beta1.ResourceMetricSource',
  'Use of a compute resource by the pods, in relation to their requests or as an absolute value.',
  resourceTarget,
);

export const ContainerResourceMetricSource = struct(
  'autoscaling.v2beta1.ContainerResourceMetricSource',
  'Use of a compute resource by one container of each pod.',
  {
    ...resourceTarget,
    container: f.string(4, { doc: 'Name of the container.', presence: 'always' }),
  },
);

export const ExternalMetricSource = struct(
  'autoscaling.v2beta1.ExternalMetricSource',
  'A metric from outside the cluster, such as the length of a queue.',
  {
    metricName: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
    metricSelector: f.struct(2, LabelSelector, {
      doc: 'Restricts the metric by its labels.',
      presence: 'pointer',
    }),
    targetValue: f.quantity(3, { doc: 'Target value as a whole.', presence: 'pointer' }),
    targetAverageValue: f.quantity(4, { doc: 'Target value per pod.', presence: 'pointer' }),
  },
);

export const MetricSpec = struct(
  'autoscaling.v2beta1.MetricSpec',
  'One metric to scale by. The field that its type names is set, and no other.',
  {
    type: f.string(1, {
      doc: 'Object, Pods, Resource, ContainerResource or External.',
      presence: 'always',
    }),
    object: f.struct(2, ObjectMetricSource, { doc: 'A metric of one object.', presence: 'pointer' }),
    pods: f.struct(3, PodsMetricSource, { doc: 'A metric of the pods.', presence: 'pointer' }),
    resource: f.struct(4, ResourceMetricSource, {
      doc: 'Use of a compute resource by the pods.',
      presence: 'pointer',
    }),
    containerResource: f.struct(7, ContainerResourceMetricSource, {
      doc: 'Use of a compute resource by one container of the pods.',
      presence: 'pointer',
      since: '1.27',
      gate: 'HPAContainerMetrics',
    }),
    external: f.struct(5, ExternalMetricSource, {
      doc: 'A metric from outside the cluster.',
      presence: 'pointer',
    }),
  },
);

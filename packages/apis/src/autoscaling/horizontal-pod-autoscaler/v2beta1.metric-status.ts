import { f, struct } from '@orch/schema';
import { LabelSelector } from '../../meta/label-selector.ts';
import { CrossVersionObjectReference } from './metric-target.ts';

export const ObjectMetricStatus = struct(
  'autoscaling.v2beta1.ObjectMetricStatus',
  'Value of a metric that describes one object.',
  {
    target: f.struct(1, CrossVersionObjectReference, {
      doc: 'Object that the metric describes.',
      presence: 'always',
      openapiRequired: true,
    }),
    metricName: f.string(2, { doc: 'Name of the metric.', presence: 'always' }),
    currentValue: f.quantity(3, { doc: 'Value as a whole.', presence: 'always' }),
    selector: f.struct(4, LabelSelector, {
      doc: 'Restricts the metric by its labels.',
      presence: 'pointer',
    }),
    averageValue: f.quantity(5, { doc: 'Value per pod.', presence: 'pointer' }),
  },
);

export const PodsMetricStatus = struct(
  'autoscaling.v2beta1.PodsMetricStatus',
  'Average of a metric over the pods.',
  {
    metricName: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
    currentAverageValue: f.quantity(2, { doc: 'Value per pod.', presence: 'always' }),
    selector: f.struct(3, LabelSelector, {
      doc: 'Restricts the metric by its labels.',
      presence: 'pointer',
    }),
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

export const ResourceMetricStatus = struct(
  'autoscaling.v2beta1.ResourceMetricStatus',
  'Average use of a compute resource over the pods.',
  resourceUse,
);

export const ContainerResourceMetricStatus = struct(
  'autoscaling.v2beta1.ContainerResourceMetricStatus',
  'Average use of a compute resource by one container over the pods.',
  { ...resourceUse, container: f.string(4, { doc: 'Name of the container.', presence: 'always' }) },
);

export const ExternalMetricStatus = struct(
  'autoscaling.v2beta1.ExternalMetricStatus',
  'Value of a metric from outside the cluster.',
  {
    metricName: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
    metricSelector: f.struct(2, LabelSelector, {
      doc: 'Restricts the metric by its labels.',
      presence: 'pointer',
    }),
    currentValue: f.quantity(3, { doc: 'Value as a whole.', presence: 'always' }),
    currentAverageValue: f.quantity(4, { doc: 'Value per pod.', presence: 'pointer' }),
  },
);

export const MetricStatus = struct(
  'autoscaling.v2beta1.MetricStatus',
  'State of one metric, at its latest reading.',
  {
    type: f.string(1, {
      doc: 'Object, Pods, Resource, ContainerResource or External.',
      presence: 'always',
    }),
    object: f.struct(2, ObjectMetricStatus, { doc: 'State of a metric of one object.', presence: 'pointer' }),
    pods: f.struct(3, PodsMetricStatus, { doc: 'State of a metric of the pods.', presence: 'pointer' }),
    resource: f.struct(4, ResourceMetricStatus, {
      doc: 'How much of a compute resource the pods use.',
      presence: 'pointer',
    }),
    containerResource: f.struct(7, ContainerResourceMetricStatus, {
      doc: 'How much of a compute resource one container of the pods uses.',
      presence: 'pointer',
      since: '1.27',
      gate: 'HPAContainerMetrics',
    }),
    external: f.struct(5, ExternalMetricStatus, {
      doc: 'State of a metric from outside the cluster.',
      presence: 'pointer',
    }),
  },
);

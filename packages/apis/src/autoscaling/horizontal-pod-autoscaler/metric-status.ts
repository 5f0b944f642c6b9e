import { f, struct } from '@orch/schema';
import { CrossVersionObjectReference, MetricIdentifier, MetricValueStatus } from './metric-target.ts';

export const ObjectMetricStatus = struct(
  'autoscaling.v2.ObjectMetricStatus',
  'Value of a metric that describes one object.',
  {
    metric: f.struct(1, MetricIdentifier, { doc: 'The metric.', presence: 'always', openapiRequired: true }),
    current: f.struct(2, MetricValueStatus, {
      doc: 'Current value.',
      presence: 'always',
      openapiRequired: true,
    }),
    describedObject: f.struct(3, CrossVersionObjectReference, {
      doc: 'Object that the metric describes.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const PodsMetricStatus = struct(
  'autoscaling.v2.PodsMetricStatus',
  'Average of a metric over the pods.',
  {
    metric: f.struct(1, MetricIdentifier, { doc: 'The metric.', presence: 'always', openapiRequired: true }),
    current: f.struct(2, MetricValueStatus, {
      doc: 'Current value.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const ResourceMetricStatus = struct(
  'autoscaling.v2.ResourceMetricStatus',
  'Average use of a compute resource over the pods.',
  {
    name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
    current: f.struct(2, MetricValueStatus, {
      doc: 'How much is used.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const ContainerResourceMetricStatus = struct(
  'autoscaling.v2.ContainerResourceMetricStatus',
  'Average use of a compute resource by one container over the pods.',
  {
    name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
    current: f.struct(2, MetricValueStatus, {
      doc: 'How much is used.',
      presence: 'always',
      openapiRequired: true,
    }),
    container: f.string(3, { doc: 'Name of the container.', presence: 'always' }),
  },
);

export const ExternalMetricStatus = struct(
  'autoscaling.v2.ExternalMetricStatus',
  'Value of a metric from outside the cluster.',
  {
    metric: f.struct(1, MetricIdentifier, { doc: 'The metric.', presence: 'always', openapiRequired: true }),
    current: f.struct(2, MetricValueStatus, {
      doc: 'Current value.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const MetricStatus = struct(
  'autoscaling.v2.MetricStatus',
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

import { f, struct } from '@orch/schema';
import { CrossVersionObjectReference, MetricIdentifier, MetricTarget } from './metric-target.ts';

export const ObjectMetricSource = struct(
  'autoscaling.v2.ObjectMetricSource',
  'A metric of one object, such as the requests that arrive at an ingress.',
  {
    describedObject: f.struct(1, CrossVersionObjectReference, {
      doc: 'Object that the metric describes.',
      presence: 'always',
      openapiRequired: true,
    }),
    target: f.struct(2, MetricTarget, {
      doc: 'Target value of the metric.',
      presence: 'always',
      openapiRequired: true,
    }),
    metric: f.struct(3, MetricIdentifier, { doc: 'The metric.', presence: 'always', openapiRequired: true }),
  },
);

export const PodsMetricSource = struct(
  'autoscaling.v2.PodsMetricSource',
  'A metric of the pods themselves, as an average over all of them.',
  {
    metric: f.struct(1, MetricIdentifier, { doc: 'The metric.', presence: 'always', openapiRequired: true }),
    target: f.struct(2, MetricTarget, {
      doc: 'Target value of the metric; an average value.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const ResourceMetricSource = struct(
  'autoscaling.v2.ResourceMetricSource',
  'Use of a compute resource by the pods, in relation to their requests or as an absolute value.',
  {
    name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
    target: f.struct(2, MetricTarget, {
      doc: 'Target utilization.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const ContainerResourceMetricSource = struct(
  'autoscaling.v2.ContainerResourceMetricSource',
  'Use of a compute resource by one container of each pod.',
  {
    name: f.string(1, { doc: 'Resource, such as cpu.', presence: 'always' }),
    target: f.struct(2, MetricTarget, {
      doc: 'Target utilization.',
      presence: 'always',
      openapiRequired: true,
    }),
    container: f.string(3, { doc: 'Name of the container.', presence: 'always' }),
  },
);

export const ExternalMetricSource = struct(
  'autoscaling.v2.ExternalMetricSource',
  'A metric from outside the cluster, such as the length of a queue.',
  {
    metric: f.struct(1, MetricIdentifier, { doc: 'The metric.', presence: 'always', openapiRequired: true }),
    target: f.struct(2, MetricTarget, {
      doc: 'Target value of the metric.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const MetricSpec = struct(
  'autoscaling.v2.MetricSpec',
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

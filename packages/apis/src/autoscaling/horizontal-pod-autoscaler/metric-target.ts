import { f, type StructOptions, type StructSchema, struct } from '@orch/schema';
import { LabelSelector } from '../../meta/label-selector.ts';

// These structs are validated by the rules of the whole autoscaler: older versions hold them in annotations, to which
// no schema applies.

const reference = (version: string, options: StructOptions = {}): StructSchema =>
  struct(
    `autoscaling.${version}.CrossVersionObjectReference`,
    'References an object of the same namespace by kind, in any version.',
    {
      kind: f.string(1, { doc: 'Kind of the object.', presence: 'always' }),
      name: f.string(2, { doc: 'Name of the object.', presence: 'always' }),
      apiVersion: f.string(3, { doc: 'Group and version of the kind.' }),
    },
    options,
  );

export const CrossVersionObjectReference = reference('v2');

/** In v1, one owner has the whole reference. */
export const CrossVersionObjectReferenceV1 = reference('v1', { mapType: 'atomic', mapTypeSince: '1.22' });

const MetricIdentifier = struct('autoscaling.v2.MetricIdentifier', 'Name and labels of a metric.', {
  name: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
  selector: f.struct(2, LabelSelector, {
    doc: 'Restricts the metric by its labels; passed to the metrics server unchanged.',
    presence: 'pointer',
  }),
});

const MetricTarget = struct(
  'autoscaling.v2.MetricTarget',
  'Target value of a metric. Replicas are added while the metric is above it.',
  {
    type: f.string(1, { doc: 'Utilization, Value or AverageValue.', presence: 'always' }),
    value: f.quantity(2, { doc: 'Target value as a whole.', presence: 'pointer' }),
    averageValue: f.quantity(3, { doc: 'Target value per pod.', presence: 'pointer' }),
    averageUtilization: f.int32(4, {
      doc: 'Target utilization of a resource per pod, in percent of what the pods request.',
      presence: 'pointer',
    }),
  },
);

const MetricValueStatus = struct('autoscaling.v2.MetricValueStatus', 'Current value of a metric.', {
  value: f.quantity(1, { doc: 'Value as a whole.', presence: 'pointer' }),
  averageValue: f.quantity(2, { doc: 'Value per pod.', presence: 'pointer' }),
  averageUtilization: f.int32(3, {
    doc: 'Use of a resource per pod, in percent of what the pods request.',
    presence: 'pointer',
  }),
});

const required = { presence: 'always', openapiRequired: true } as const;

export const describedObject = (num: number) =>
  f.struct(num, CrossVersionObjectReference, { doc: 'Object that the metric describes.', ...required });

export const metricField = (num: number) =>
  f.struct(num, MetricIdentifier, { doc: 'The metric.', ...required });

export const targetField = (doc: string) => f.struct(2, MetricTarget, { doc, ...required });

export const currentField = (doc: string) => f.struct(2, MetricValueStatus, { doc, ...required });

/** The labels of a metric in versions that name it in a field. */
export const selectorField = (num: number) =>
  f.struct(num, LabelSelector, { doc: 'Restricts the metric by its labels.', presence: 'pointer' });

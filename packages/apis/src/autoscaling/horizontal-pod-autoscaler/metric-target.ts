import { f, struct } from '@orch/schema';
import { LabelSelector } from '../../meta/label-selector.ts';

// These structs are validated by the rules of the whole autoscaler: older versions hold them in annotations, to which no
// schema applies.

export const CrossVersionObjectReference = struct(
  'autoscaling.v2.CrossVersionObjectReference',
  'Names an object of the same namespace by kind, in whatever version.',
  {
    kind: f.string(1, { doc: 'Kind of the object.', presence: 'always' }),
    name: f.string(2, { doc: 'Name of the object.', presence: 'always' }),
    apiVersion: f.string(3, { doc: 'Group and version of the kind.' }),
  },
);

export const MetricIdentifier = struct('autoscaling.v2.MetricIdentifier', 'Which metric is meant.', {
  name: f.string(1, { doc: 'Name of the metric.', presence: 'always' }),
  selector: f.struct(2, LabelSelector, {
    doc: 'Narrows the metric down by its labels; the metrics server gets it as it is.',
    presence: 'pointer',
  }),
});

export const MetricTarget = struct(
  'autoscaling.v2.MetricTarget',
  'Where a metric should be. More replicas are made while it is above.',
  {
    type: f.string(1, { doc: 'Utilization, Value or AverageValue.', presence: 'always' }),
    value: f.quantity(2, { doc: 'Wanted value as a whole.', presence: 'pointer' }),
    averageValue: f.quantity(3, { doc: 'Wanted value per pod.', presence: 'pointer' }),
    averageUtilization: f.int32(4, {
      doc: 'Wanted use of a resource per pod, in percent of what the pods request.',
      presence: 'pointer',
    }),
  },
);

export const MetricValueStatus = struct('autoscaling.v2.MetricValueStatus', 'Where a metric is.', {
  value: f.quantity(1, { doc: 'Value as a whole.', presence: 'pointer' }),
  averageValue: f.quantity(2, { doc: 'Value per pod.', presence: 'pointer' }),
  averageUtilization: f.int32(3, {
    doc: 'Use of a resource per pod, in percent of what the pods request.',
    presence: 'pointer',
  }),
});

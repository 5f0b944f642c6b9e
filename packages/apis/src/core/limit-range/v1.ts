import { f, items, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { deriveLimitRangeItem } from './defaults.ts';

export const LimitRangeItem = struct(
  'core.v1.LimitRangeItem',
  'Bounds and defaults for objects of one type.',
  {
    type: f.string(1, {
      doc: 'What is bounded: Pod, Container or PersistentVolumeClaim.',
      presence: 'always',
    }),
    max: f.map(2, items.quantity, { doc: 'Upper bounds by resource.' }),
    min: f.map(3, items.quantity, { doc: 'Lower bounds by resource.' }),
    default: f.map(4, items.quantity, { doc: 'Limits for containers that name none.' }),
    defaultRequest: f.map(5, items.quantity, { doc: 'Requests for containers that name none.' }),
    maxLimitRequestRatio: f.map(6, items.quantity, {
      doc: 'How far a limit may be above the request, as a factor.',
    }),
  },
  { derive: deriveLimitRangeItem },
);

export const LimitRangeSpec = struct('core.v1.LimitRangeSpec', 'The bounds of a namespace.', {
  limits: f.list(1, LimitRangeItem, { doc: 'One entry per type.', presence: 'always', uniqueBy: 'type' }),
});

export const LimitRange = struct(
  'core.v1.LimitRange',
  'Bounds and defaults for the resources that single pods, containers and claims of a namespace may ask for.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, LimitRangeSpec, { doc: 'What its owner wants.', presence: 'always' }),
  },
  { typeMeta: true },
);

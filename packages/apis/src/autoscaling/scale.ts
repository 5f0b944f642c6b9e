import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ScaleSpec = struct('autoscaling.v1.ScaleSpec', 'The desired number of replicas.', {
  replicas: f.int32(1, { doc: 'Desired number of replicas.', min: 0 }),
});

export const ScaleStatus = struct('autoscaling.v1.ScaleStatus', 'The current number of replicas.', {
  replicas: f.int32(1, { doc: 'Current number of replicas.', presence: 'always' }),
  selector: f.string(2, { doc: 'Selects the pods, in the format of a query parameter.' }),
});

export const Scale = struct(
  'autoscaling.v1.Scale',
  'The number of replicas of an object that has replicas.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    spec: f.struct(2, ScaleSpec, { doc: 'Desired state of the object.', presence: 'always' }),
    status: f.struct(3, ScaleStatus, {
      doc: 'Most recently observed state of the object; written by the system.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);

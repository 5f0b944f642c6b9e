import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../meta/object-meta.ts';

export const ScaleSpec = struct('autoscaling.v1.ScaleSpec', 'The wanted number of replicas.', {
  replicas: f.int32(1, { doc: 'How many replicas are wanted.', min: 0 }),
});

export const ScaleStatus = struct('autoscaling.v1.ScaleStatus', 'The present number of replicas.', {
  replicas: f.int32(1, { doc: 'How many replicas there are.', presence: 'always' }),
  selector: f.string(2, { doc: 'Selects the pods that count, in the form of a query parameter.' }),
});

export const Scale = struct(
  'autoscaling.v1.Scale',
  'The size of anything that has replicas, without the rest of it.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, ScaleSpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, ScaleStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true },
);

import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { derivePod } from '../shared/pod-spec/defaults.ts';
import { PodSpec } from '../shared/pod-spec/spec.ts';
import { PodStatus } from './status.ts';

export const Pod = struct(
  'core.v1.Pod',
  'A group of containers that run together on one node, sharing its network address and volumes.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, PodSpec, { doc: 'What its owner wants.', presence: 'always' }),
    status: f.struct(3, PodStatus, {
      doc: 'What was observed last; written by the system, never by the owner.',
      presence: 'always',
    }),
  },
  { typeMeta: true, derive: derivePod },
);

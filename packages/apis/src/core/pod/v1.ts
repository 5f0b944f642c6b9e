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
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    spec: f.struct(2, PodSpec, { doc: 'Desired state of the object.', presence: 'always' }),
    status: f.struct(3, PodStatus, {
      doc: 'Most recently observed state of the object; written by the system.',
      presence: 'always',
    }),
  },
  { typeMeta: true, derive: derivePod },
);

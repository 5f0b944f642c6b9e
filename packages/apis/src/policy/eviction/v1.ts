import { f, struct } from '@orch/schema';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { DeleteOptions } from '../../meta/options.ts';

export const Eviction = struct(
  'policy.v1.Eviction',
  "Asks for a pod to leave its node, as far as disruption budgets allow. Posted to the pod's eviction subresource.",
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    deleteOptions: f.struct(2, DeleteOptions, {
      doc: 'How the pod is deleted when the eviction is granted.',
      presence: 'pointer',
    }),
  },
  { typeMeta: true },
);

import { f, struct } from '@orch/schema';
import { DeleteOptions } from '../../meta/options.ts';
import { metadataField } from '../../meta/standard-fields.ts';

export const Eviction = struct(
  'policy.v1beta1.Eviction',
  'Requests the eviction of a pod from its node, subject to disruption budgets. Posted to the eviction subresource of the pod.',
  {
    metadata: metadataField,
    deleteOptions: f.struct(2, DeleteOptions, {
      doc: 'How the pod is deleted when the eviction is granted.',
      presence: 'pointer',
    }),
  },
  { typeMeta: true },
);

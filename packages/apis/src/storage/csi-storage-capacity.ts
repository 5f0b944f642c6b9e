import { f, struct } from '@orch/schema';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';
import { checkCapacities } from './shared/csi-storage-capacity-validation.ts';

export const CSIStorageCapacity = struct(
  'storage.v1.CSIStorageCapacity',
  'How much storage of a class a driver has left in one part of the cluster.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    nodeTopology: f.struct(2, LabelSelector, {
      doc: 'Nodes that can reach the storage; none when absent, all when empty.',
      presence: 'pointer',
      immutable: true,
    }),
    storageClassName: f.string(3, {
      doc: 'Class that the report is about.',
      presence: 'always',
      immutable: true,
    }),
    capacity: f.quantity(4, {
      doc: 'Storage that is left; nothing is known when absent.',
      presence: 'pointer',
    }),
    maximumVolumeSize: f.quantity(5, {
      doc: 'Largest volume that can be made.',
      presence: 'pointer',
      since: '1.21',
    }),
  },
  { typeMeta: true, checks: [checkCapacities] },
);

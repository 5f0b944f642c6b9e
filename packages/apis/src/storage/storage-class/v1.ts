import { f, items, struct } from '@orch/schema';
import { TopologySelectorTerm } from '../../core/shared/topology-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { checkStorageClass } from './validation.ts';

export const StorageClass = struct(
  'storage.v1.StorageClass',
  'A kind of storage that volumes can be made of on demand. What it says cannot change, but whether volumes may grow.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    provisioner: f.string(2, {
      doc: 'Who makes the volumes.',
      presence: 'always',
      required: true,
    }),
    parameters: f.map(3, items.string, { doc: 'Parameters of the volumes for the provisioner.' }),
    reclaimPolicy: f.string(4, {
      doc: 'What becomes of a volume when its claim goes: Delete or Retain.',
      presence: 'pointer',
      default: 'Delete',
      enum: ['Delete', 'Retain'],
    }),
    mountOptions: f.list(5, items.string, { doc: 'Options for mounting; not validated.' }),
    allowVolumeExpansion: f.bool(6, { doc: 'Whether volumes may grow.', presence: 'pointer' }),
    volumeBindingMode: f.string(7, {
      doc: 'When volumes are made and bound: Immediate, or WaitForFirstConsumer to know the node first.',
      presence: 'pointer',
      default: 'Immediate',
      enum: ['Immediate', 'WaitForFirstConsumer'],
      immutable: true,
    }),
    allowedTopologies: f.list(8, TopologySelectorTerm, {
      doc: 'Where volumes may be: where one of these holds; anywhere without any.',
      listType: 'atomic',
    }),
  },
  { typeMeta: true, checks: [checkStorageClass] },
);

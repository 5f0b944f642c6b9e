import { f, items, struct } from '@orch/schema';
import { TopologySelectorTerm } from '../../core/shared/topology-selector.ts';
import { metadataField } from '../../meta/standard-fields.ts';
import { checkStorageClass } from './validation.ts';

export const StorageClass = struct(
  'storage.v1.StorageClass',
  'A class of storage from which volumes are provisioned on demand. Only allowVolumeExpansion can change.',
  {
    metadata: metadataField,
    provisioner: f.string(2, {
      doc: 'Provisioner of the volumes.',
      presence: 'always',
      required: true,
    }),
    parameters: f.map(3, items.string, { doc: 'Parameters of the volumes for the provisioner.' }),
    reclaimPolicy: f.string(4, {
      doc: 'What happens to a volume when its claim is deleted: Delete or Retain.',
      presence: 'pointer',
      default: 'Delete',
      enum: ['Delete', 'Retain'],
      openapiEnum: { since: '1.27', values: ['Delete', 'Recycle', 'Retain'] },
    }),
    mountOptions: f.list(5, items.string, { doc: 'Options for mounting; not validated.' }),
    allowVolumeExpansion: f.bool(6, { doc: 'Whether volumes may be expanded.', presence: 'pointer' }),
    volumeBindingMode: f.string(7, {
      doc: 'When volumes are provisioned and bound: Immediate, or WaitForFirstConsumer, when the node is known.',
      presence: 'pointer',
      default: 'Immediate',
      enum: ['Immediate', 'WaitForFirstConsumer'],
      openapiEnum: { since: '1.27' },
      immutable: true,
    }),
    allowedTopologies: f.list(8, TopologySelectorTerm, {
      doc: 'Topologies in which volumes may be provisioned; any when empty.',
      listType: 'atomic',
    }),
  },
  { typeMeta: true, checks: [checkStorageClass] },
);

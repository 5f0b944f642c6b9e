import { f, struct } from '@orch/schema';
import { ListMeta } from './list-meta.ts';
import { metadataField } from './standard-fields.ts';

export const PartialObjectMetadata = struct(
  'meta.v1.PartialObjectMetadata',
  'Any object, reduced to its metadata.',
  {
    metadata: metadataField,
  },
  { typeMeta: true },
);

export const PartialObjectMetadataList = struct(
  'meta.v1.PartialObjectMetadataList',
  'A list of objects, reduced to their metadata.',
  {
    metadata: f.struct(1, ListMeta, {
      doc: "Standard object's metadata.",
      presence: 'always',
    }),
    items: f.list(2, PartialObjectMetadata, { doc: 'The objects.', presence: 'always' }),
  },
  { typeMeta: true },
);

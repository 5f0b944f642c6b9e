import { f, struct } from '@orch/schema';

export const ShardInfo = struct('meta.v1.ShardInfo', 'The part of the objects that a list has.', {
  selector: f.string(1, { doc: 'Selector of the request.', presence: 'always' }),
});

export const ListMeta = struct('meta.v1.ListMeta', 'Metadata of lists.', {
  selfLink: f.string(1, {
    doc: 'Path of the list. No longer filled in.',
    deprecated: 'No longer filled in.',
  }),
  resourceVersion: f.string(2, { doc: 'Version at which the list was read; a watch can start from it.' }),
  continue: f.string(3, { doc: 'Opaque token for the next chunk, empty at the end of the list.' }),
  remainingItemCount: f.int64(4, {
    doc: 'Number of items after this chunk, when it is known.',
    presence: 'pointer',
  }),
  shardInfo: f.struct(5, ShardInfo, {
    doc: 'Set where the request has a shardSelector.',
    presence: 'pointer',
    since: 'never',
    gate: 'ShardedListAndWatch',
  }),
});

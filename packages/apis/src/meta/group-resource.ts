import { f, struct } from '@orch/schema';

export const GroupResource = struct('meta.v1.GroupResource', 'A resource, in any version.', {
  group: f.string(1, { doc: 'Its group; empty for the core group.', presence: 'always' }),
  resource: f.string(2, { doc: 'Its name in paths: the plural.', presence: 'always' }),
});

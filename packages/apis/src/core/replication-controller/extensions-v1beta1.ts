import { struct } from '@orch/schema';
import type { KindVersion } from '../../resource-type.ts';
import { scaleIn } from '../shared/subresources.ts';

/** Named by discovery only: there are no objects of the kind. */
export const ReplicationControllerDummy = struct(
  'extensions.v1beta1.ReplicationControllerDummy',
  'Placeholder for the replication controllers of the core group.',
  {},
  { typeMeta: true },
);

/** The replication controllers of the core group in this group: nothing but their scale. */
export const replicationControllerView: KindVersion = {
  group: 'extensions',
  version: 'v1beta1',
  schema: ReplicationControllerDummy,
  introduced: '1.1',
  removed: '1.16',
  differs: {
    kind: 'ReplicationControllerDummy',
    singular: 'replicationcontrollerdummy',
    verbs: [],
    shortNames: [],
    categories: [],
    subresources: [scaleIn('extensions', 'v1beta1')],
  },
};

import type * as coordination from '@orch/kinds/coordination';
import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { metadataField, specField } from '../../meta/standard-fields.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

export const LeaseSpec = struct(
  'coordination.v1.LeaseSpec',
  'Who holds the lease, since when and for how long.',
  {
    holderIdentity: f.string(1, { doc: 'Who holds it now.', presence: 'pointer' }),
    leaseDurationSeconds: f.int32(2, {
      doc: 'How long after renewTime others must wait before they may acquire the lease.',
      presence: 'pointer',
      min: 1,
    }),
    acquireTime: f.microTime(3, { doc: 'When the current holder acquired it.', presence: 'pointer' }),
    renewTime: f.microTime(4, { doc: 'When the holder last renewed it.', presence: 'pointer' }),
    leaseTransitions: f.int32(5, { doc: 'Number of changes of the holder.', presence: 'pointer', min: 0 }),

    strategy: f.string(6, {
      doc: 'How the holder is chosen in a coordinated election, such as OldestEmulationVersion.',
      presence: 'pointer',
      since: 'never',
      gate: 'CoordinatedLeaderElection',
    }),
    preferredHolder: f.string(7, {
      doc: 'Candidate that should hold it next.',
      presence: 'pointer',
      since: 'never',
      gate: 'CoordinatedLeaderElection',
    }),
  },
);

export const Lease = struct(
  'coordination.v1.Lease',
  'A claim that one holder renews, used to elect leaders and to report that nodes are alive.',
  {
    metadata: metadataField,
    spec: specField(LeaseSpec),
  },
  { typeMeta: true },
);

const leaseTable: TableDefinition<coordination.Lease> = {
  columns: [nameColumn, column('Holder', 'Holder of the lease.'), ageColumn],
  cells: (lease) => [nameCell(lease), lease.spec?.holderIdentity ?? '', ageCell(lease)],
};

export const leases: ResourceType = defineResource({
  group: 'coordination',
  resource: 'leases',
  kind: 'Lease',
  namespaced: true,
  versions: [
    { version: 'v1', schema: Lease, introduced: '1.14' },
    { version: 'v1beta1', schema: Lease, introduced: '1.12', deprecated: '1.19', removed: '1.22' },
  ],
  unqualifiedFinalizers: true,
  table: leaseTable,
  strategy: strategyOf<coordination.Lease>({ createOnUpdate: true, unconditionalUpdate: false }),
});

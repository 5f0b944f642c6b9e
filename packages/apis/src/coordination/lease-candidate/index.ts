import type * as coordination from '@orch/kinds/coordination';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { LeaseCandidate, LeaseCandidateV1Alpha1 } from './schemas.ts';
import { leaseCandidateLens } from './v1alpha1.lens.ts';

const leaseCandidateTable: TableDefinition<coordination.LeaseCandidateV1beta1> = {
  columns: [
    nameColumn,
    column('LeaseName', 'Lease for which it stands.'),
    column('BinaryVersion', 'Version of its program.'),
    column('EmulationVersion', 'Version that it emulates.'),
    ageColumn,
  ],
  cells(candidate) {
    const { leaseName = '', binaryVersion = '', emulationVersion = '' } = candidate.spec ?? {};
    return [nameCell(candidate), leaseName, binaryVersion, emulationVersion, ageCell(candidate)];
  },
};

export const leaseCandidates: ResourceType = defineResource({
  group: 'coordination',
  resource: 'leasecandidates',
  kind: 'LeaseCandidate',
  namespaced: true,
  nameFormat: 'configMapKey',
  versions: [
    {
      version: 'v1beta1',
      schema: LeaseCandidate,
      introduced: '1.33',
      deprecated: '1.36',
      removed: '1.39',
      servedByDefault: false,
    },
    {
      version: 'v1alpha2',
      schema: LeaseCandidate,
      introduced: '1.32',
      deprecated: '1.35',
      removed: '1.38',
      replacement: 'none',
    },
    {
      version: 'v1alpha1',
      schema: LeaseCandidateV1Alpha1,
      lens: leaseCandidateLens,
      introduced: '1.31',
      removed: '1.32',
    },
  ],
  unqualifiedFinalizers: true,
  table: leaseCandidateTable,
  strategy: strategyOf<coordination.LeaseCandidateV1beta1>({
    createOnUpdate: true,
    unconditionalUpdate: false,
  }),
  fields: { 'spec.leaseName': textField('spec.leaseName') },
});

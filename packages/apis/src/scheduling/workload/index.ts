import type * as scheduling from '@orch/kinds/scheduling';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, nameCell, nameColumn } from '../../table.ts';
import { groupVersions } from '../shared/versions.ts';
import { WorkloadV1Alpha1, workloadLensV1Alpha1 } from './v1alpha1.ts';
import { WorkloadV1Alpha2, workloadLensV1Alpha2 } from './v1alpha2.ts';
import { Workload } from './v1beta1.ts';

const workloadTable: TableDefinition<scheduling.WorkloadV1beta1> = {
  columns: [nameColumn, ageColumn],
  cells: (workload) => [nameCell(workload), ageCell(workload)],
};

export const workloads: ResourceType = defineResource({
  group: 'scheduling',
  resource: 'workloads',
  kind: 'Workload',
  namespaced: true,
  versions: [
    ...groupVersions(Workload, { schema: WorkloadV1Alpha2, lens: workloadLensV1Alpha2 }),
    {
      version: 'v1alpha1',
      schema: WorkloadV1Alpha1,
      lens: workloadLensV1Alpha1,
      introduced: '1.35',
      removed: '1.36',
      replacement: 'none',
    },
  ],
  table: workloadTable,
  strategy: strategyOf<scheduling.WorkloadV1beta1>({ unconditionalUpdate: false }),
});

import type { ResourceClaimV1alpha2 } from '@orch/kinds/resource';
import { hasDeletionTimestamp } from '@orch/machinery';
import type { TableDefinition } from '../../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../../table.ts';
import { classColumn, modeColumn } from '../shared/columns.ts';

function stateText(claim: ResourceClaimV1alpha2): string {
  const { allocation, deallocationRequested, reservedFor } = claim.status ?? {};
  const states = [
    ...(hasDeletionTimestamp(claim.metadata) ? ['deleted'] : []),
    ...(allocation === undefined
      ? hasDeletionTimestamp(claim.metadata)
        ? []
        : ['pending']
      : [
          'allocated',
          ...((reservedFor ?? []).length > 0 ? ['reserved'] : []),
          ...(deallocationRequested === true ? ['deallocation-requested'] : []),
        ]),
  ];
  return states.join();
}

export const resourceClaimTable: TableDefinition<ResourceClaimV1alpha2> = {
  columns: [nameColumn, classColumn, modeColumn, column('State', 'State of the claim.'), ageColumn],
  cells(claim) {
    const { resourceClassName, allocationMode } = claim.spec ?? {};
    return [nameCell(claim), resourceClassName ?? '', allocationMode ?? '', stateText(claim), ageCell(claim)];
  },
};

import { type ApiObject, hasDeletionTimestamp } from '@orch/machinery';
import { asObjects, asText, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { classColumn, modeColumn } from '../shared/columns.ts';

function stateText(claim: ApiObject): string {
  const { allocation, deallocationRequested, reservedFor } = statusOf(claim);
  const states = [
    ...(hasDeletionTimestamp(claim.metadata) ? ['deleted'] : []),
    ...(allocation === undefined
      ? hasDeletionTimestamp(claim.metadata)
        ? []
        : ['pending']
      : [
          'allocated',
          ...(asObjects(reservedFor).length > 0 ? ['reserved'] : []),
          ...(deallocationRequested === true ? ['deallocation-requested'] : []),
        ]),
  ];
  return states.join();
}

export const resourceClaimTable: TableDefinition = {
  columns: [nameColumn, classColumn, modeColumn, column('State', 'How far the claim has come.'), ageColumn],
  cells(claim) {
    const { resourceClassName, allocationMode } = specOf(claim);
    return [
      nameCell(claim),
      asText(resourceClassName),
      asText(allocationMode),
      stateText(claim),
      ageCell(claim),
    ];
  },
};

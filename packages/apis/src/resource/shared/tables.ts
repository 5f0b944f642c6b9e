import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, asText, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, isBeingDeleted, nameCell, nameColumn } from '../../table.ts';

export const resourceClassTable: TableDefinition = {
  columns: [nameColumn, column('DriverName', 'Driver that provides the resource.'), ageColumn],
  cells: (object) => [nameCell(object), asText(object['driverName']), ageCell(object)],
};

function stateText(claim: ApiObject): string {
  const { allocation, deallocationRequested, reservedFor } = statusOf(claim);
  const states = [
    ...(isBeingDeleted(claim) ? ['deleted'] : []),
    ...(allocation === undefined
      ? isBeingDeleted(claim)
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

const classColumn = column('ResourceClassName', 'Class of the resource.');
const modeColumn = column('AllocationMode', 'When the resource is allocated.');

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

export const resourceClaimTemplateTable: TableDefinition = {
  columns: [nameColumn, classColumn, modeColumn, ageColumn],
  cells(template) {
    const { resourceClassName, allocationMode } = asObject(specOf(template)['spec']);
    return [nameCell(template), asText(resourceClassName), asText(allocationMode), ageCell(template)];
  },
};

export const podSchedulingTable: TableDefinition = {
  columns: [nameColumn, column('SelectedNode', 'Node that the scheduler has chosen.'), ageColumn],
  cells: (object) => [nameCell(object), asText(specOf(object)['selectedNode']), ageCell(object)],
};

import { asText } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

export const runtimeClassTable: TableDefinition = {
  columns: [nameColumn, column('Handler', 'What nodes call the runtime.'), ageColumn],
  cells: (runtimeClass) => [nameCell(runtimeClass), asText(runtimeClass['handler']), ageCell(runtimeClass)],
};

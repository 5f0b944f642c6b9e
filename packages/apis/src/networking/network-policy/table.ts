import { selectorText } from '../../apps/shared/columns.ts';
import { specOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

export const networkPolicyTable: TableDefinition = {
  columns: [nameColumn, column('Pod-Selector', 'Labels of the pods that the policy is for.'), ageColumn],
  cells: (policy) => [nameCell(policy), selectorText(specOf(policy)['podSelector']), ageCell(policy)],
};

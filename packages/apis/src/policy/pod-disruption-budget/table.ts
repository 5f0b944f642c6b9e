import { asNumber, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const boundText = (bound: unknown): string => (bound === undefined ? 'N/A' : `${bound}`);

export const podDisruptionBudgetTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Min Available', 'How many pods must stay available.'),
    column('Max Unavailable', 'How many pods may be unavailable.'),
    column('Allowed Disruptions', 'Pods that may be evicted now.', { type: 'integer' }),
    ageColumn,
  ],
  cells(budget) {
    const spec = specOf(budget);
    return [
      nameCell(budget),
      boundText(spec['minAvailable']),
      boundText(spec['maxUnavailable']),
      asNumber(statusOf(budget)['disruptionsAllowed']),
      ageCell(budget),
    ];
  },
};

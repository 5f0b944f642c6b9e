import type { PodDisruptionBudget } from '@orch/kinds/policy';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const boundText = (bound: number | string | undefined): string => (bound === undefined ? 'N/A' : `${bound}`);

export const podDisruptionBudgetTable: TableDefinition<PodDisruptionBudget> = {
  columns: [
    nameColumn,
    column('Min Available', 'How many pods must remain available.'),
    column('Max Unavailable', 'How many pods may be unavailable.'),
    column('Allowed Disruptions', 'Pods that may be evicted now.', { type: 'integer' }),
    ageColumn,
  ],
  cells(budget) {
    const spec = budget.spec ?? {};
    return [
      nameCell(budget),
      boundText(spec.minAvailable),
      boundText(spec.maxUnavailable),
      budget.status?.disruptionsAllowed ?? 0,
      ageCell(budget),
    ];
  },
};

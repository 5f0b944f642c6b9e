import type { PriorityLevelConfigurationV1beta3 } from '@orch/kinds/flowcontrol';
import type { Cell, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const numberOf = (value: number | undefined): Cell => value ?? '<none>';

const priorityLevelTableWith = (shares: string): TableDefinition<PriorityLevelConfigurationV1beta3> => ({
  columns: [
    nameColumn,
    column('Type', 'Exempt or Limited.'),
    column(shares, 'Share of the seats of a server.'),
    column('Queues', 'Number of queues.'),
    column('HandSize', 'Number of queues of a flow, of which each request joins the shortest.'),
    column('QueueLengthLimit', 'Maximum number of requests that wait in one queue.'),
    ageColumn,
  ],
  cells(level) {
    const spec = level.spec ?? {};
    const limited = spec.limited ?? {};
    const queuing = limited.limitResponse?.queuing ?? {};
    return [
      nameCell(level),
      spec.type ?? '',
      numberOf(limited.nominalConcurrencyShares),
      numberOf(queuing.queues),
      numberOf(queuing.handSize),
      numberOf(queuing.queueLengthLimit),
      ageCell(level),
    ];
  },
});

export const priorityLevelTable: TableDefinition<PriorityLevelConfigurationV1beta3> =
  priorityLevelTableWith('NominalConcurrencyShares');

/** Before levels could lend their seats. */
export const earlierPriorityLevelTable: TableDefinition<PriorityLevelConfigurationV1beta3> =
  priorityLevelTableWith('AssuredConcurrencyShares');

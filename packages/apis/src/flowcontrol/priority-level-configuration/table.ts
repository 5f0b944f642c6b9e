import { asObject, asText, specOf } from '../../read.ts';
import type { Cell, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const numberOf = (value: unknown): Cell => (typeof value === 'number' ? value : '<none>');

const priorityLevelTableWith = (shares: string): TableDefinition => ({
  columns: [
    nameColumn,
    column('Type', 'Exempt or Limited.'),
    column(shares, 'Share of the seats of a server.'),
    column('Queues', 'Number of queues.'),
    column('HandSize', 'Number of queues among which a flow takes the shortest.'),
    column('QueueLengthLimit', 'Most requests that wait in one queue.'),
    ageColumn,
  ],
  cells(level) {
    const spec = specOf(level);
    const limited = asObject(spec['limited']);
    const queuing = asObject(asObject(limited['limitResponse'])['queuing']);
    return [
      nameCell(level),
      asText(spec['type']),
      numberOf(limited['nominalConcurrencyShares']),
      numberOf(queuing['queues']),
      numberOf(queuing['handSize']),
      numberOf(queuing['queueLengthLimit']),
      ageCell(level),
    ];
  },
});

export const priorityLevelTable: TableDefinition = priorityLevelTableWith('NominalConcurrencyShares');

/** Before levels could lend their seats. */
export const earlierPriorityLevelTable: TableDefinition = priorityLevelTableWith('AssuredConcurrencyShares');

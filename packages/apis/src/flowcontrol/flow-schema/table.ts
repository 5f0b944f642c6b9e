import type { FlowSchemaV1beta3 } from '@orch/kinds/flowcontrol';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';

export const flowSchemaTable: TableDefinition<FlowSchemaV1beta3> = {
  columns: [
    nameColumn,
    column('PriorityLevel', 'Priority level of the requests.'),
    column(
      'MatchingPrecedence',
      'Of the schemas that match a request, the one with the lowest value is used.',
    ),
    column('DistinguisherMethod', 'How the requests are divided into flows.'),
    ageColumn,
    column('MissingPL', 'Whether there is no such priority level.'),
  ],
  cells(schema) {
    const spec = schema.spec ?? {};
    const dangling = (schema.status?.conditions ?? []).find(({ type }) => type === 'Dangling');
    return [
      nameCell(schema),
      spec.priorityLevelConfiguration?.name ?? '',
      spec.matchingPrecedence ?? 0,
      orNone(spec.distinguisherMethod?.type ?? ''),
      ageCell(schema),
      dangling === undefined ? '?' : (dangling.status ?? ''),
    ];
  },
};

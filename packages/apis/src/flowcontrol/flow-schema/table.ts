import { asNumber, asObject, asObjects, asText, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';

export const flowSchemaTable: TableDefinition = {
  columns: [
    nameColumn,
    column('PriorityLevel', 'Priority level of the requests.'),
    column('MatchingPrecedence', 'Of the schemas that match a request the one with the least counts.'),
    column('DistinguisherMethod', 'How the requests are told apart into flows.'),
    ageColumn,
    column('MissingPL', 'Whether there is no such priority level.'),
  ],
  cells(schema) {
    const spec = specOf(schema);
    const dangling = asObjects(statusOf(schema)['conditions']).find(({ type }) => type === 'Dangling');
    return [
      nameCell(schema),
      asText(asObject(spec['priorityLevelConfiguration'])['name']),
      asNumber(spec['matchingPrecedence']),
      orNone(asText(asObject(spec['distinguisherMethod'])['type'])),
      ageCell(schema),
      dangling === undefined ? '?' : asText(dangling['status']),
    ];
  },
};

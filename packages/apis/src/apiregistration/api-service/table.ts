import type { ApiObject } from '@orch/machinery';
import { asObject, asObjects, asText, specOf, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

function serviceText(object: ApiObject): string {
  const { service } = specOf(object);
  if (service === undefined) return 'Local';
  const { namespace, name } = asObject(service);
  return `${asText(namespace)}/${asText(name)}`;
}

function availableText(object: ApiObject): string {
  const available = asObjects(statusOf(object)['conditions']).find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  const status = asText(available['status']);
  const reason = asText(available['reason']);
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}

export const apiServiceTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Service', 'Service that serves the group version; Local when this server does.'),
    column('Available', 'Whether it can be reached, and why not.'),
    ageColumn,
  ],
  cells: (object) => [nameCell(object), serviceText(object), availableText(object), ageCell(object)],
};

import type { APIService } from '@orch/kinds/apiregistration';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

function serviceText(object: APIService): string {
  const { service } = object.spec ?? {};
  if (service === undefined) return 'Local';
  const { namespace, name } = service ?? {};
  return `${namespace ?? ''}/${name ?? ''}`;
}

function availableText(object: APIService): string {
  const available = (object.status?.conditions ?? []).find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  const status = available.status ?? '';
  const reason = available.reason ?? '';
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}

export const apiServiceTable: TableDefinition<APIService> = {
  columns: [
    nameColumn,
    column('Service', 'Service that serves the group version; Local when this server does.'),
    column('Available', 'Whether it can be reached, and why not.'),
    ageColumn,
  ],
  cells: (object) => [nameCell(object), serviceText(object), availableText(object), ageCell(object)],
};

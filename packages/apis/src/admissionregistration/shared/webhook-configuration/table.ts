import { asObjects } from '../../../read.ts';
import type { TableDefinition } from '../../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../../table.ts';

export const webhookConfigurationTable: TableDefinition = {
  columns: [nameColumn, column('Webhooks', 'Number of webhooks.', { type: 'integer' }), ageColumn],
  cells: (object) => [nameCell(object), asObjects(object['webhooks']).length, ageCell(object)],
};

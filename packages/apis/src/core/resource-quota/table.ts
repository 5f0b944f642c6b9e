import { asObject, asText, type JsonObject, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

/** Used and allowed amounts of the resources that `takes` chooses. */
function quotaText(status: JsonObject, takes: (resource: string) => boolean): string {
  const hard = asObject(status['hard']);
  const used = asObject(status['used']);
  return Object.keys(hard)
    .filter(takes)
    .sort()
    .map((resource) => `${resource}: ${asText(used[resource]) || '0'}/${asText(hard[resource])}`)
    .join(', ');
}

const isLimit = (resource: string): boolean => resource.startsWith('limits');

export const resourceQuotaTable: TableDefinition = {
  columns: [
    nameColumn,
    ageColumn,
    column('Request', 'Used and allowed requests and numbers of objects.'),
    column('Limit', 'Used and allowed limits.'),
  ],
  cells(quota) {
    const status = statusOf(quota);
    const requests = quotaText(status, (resource) => !isLimit(resource));
    return [nameCell(quota), ageCell(quota), requests, quotaText(status, isLimit)];
  },
};

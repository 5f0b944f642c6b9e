import type { ResourceQuota, ResourceQuotaStatus } from '@orch/kinds/core';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

/** Used and allowed amounts of the resources that `takes` chooses. */
function quotaText(status: ResourceQuotaStatus, takes: (resource: string) => boolean): string {
  const hard = status.hard ?? {};
  const used = status.used ?? {};
  return Object.keys(hard)
    .filter(takes)
    .sort()
    .map((resource) => `${resource}: ${(used[resource] ?? '') || '0'}/${hard[resource] ?? ''}`)
    .join(', ');
}

const isLimit = (resource: string): boolean => resource.startsWith('limits');

export const resourceQuotaTable: TableDefinition<ResourceQuota> = {
  columns: [
    nameColumn,
    ageColumn,
    column('Request', 'Used and allowed requests and numbers of objects.'),
    column('Limit', 'Used and allowed limits.'),
  ],
  cells(quota) {
    const status = quota.status ?? {};
    const requests = quotaText(status, (resource) => !isLimit(resource));
    return [nameCell(quota), ageCell(quota), requests, quotaText(status, isLimit)];
  },
};
